// A server with three people, and a group that one of them makes and another joins: for the tests of groups.

import assert from "node:assert/strict";
import { startTestApp } from "./harness.ts";
import type { Person, TestApp } from "./harness.ts";

export type Json = Record<string, any>;

export type GroupWorld = {
  t: TestApp;
  alice: Person;
  bob: Person;
  carol: Person;
  /** Sends a request that has to be refused with this status and a sentence. */
  refused(status: number, path: string, who: Person | null, json?: unknown): Promise<void>;
  /** Returns a number that no other name or text has. */
  next(): number;
  /** Makes a group of alice's, which bob has joined. */
  newGroup(members?: Json): Promise<Json>;
  postTo(group: Json, who: Person, members?: Json): Promise<Json>;
  /** Returns the ids of the posts that a group boosts, newest first. */
  boosted(group: Json): Promise<string[]>;
};

export const startGroupWorld = async (): Promise<GroupWorld> => {
  const t = await startTestApp();
  const [alice, bob, carol] = [
    await t.person("alice"),
    await t.person("bob"),
    await t.person("carol"),
  ];
  let serial = 0;
  const next = () => ++serial;
  const refused: GroupWorld["refused"] = async (status, path, who, json) => {
    const answer = await (who ?? t.visitor).post(`/api/v1/${path}`, json ?? {});
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    assert.ok(answer.json.error);
  };
  const newGroup = async (members: Json = {}): Promise<Json> => {
    const group = await alice.post("/api/v1/groups", { name: `group${next()}`, ...members }).ok();
    await bob.post(`/api/v1/accounts/${group.id}/follow`).ok();
    await t.runJobs();
    return group;
  };
  const postTo = async (group: Json, who: Person, members: Json = {}): Promise<Json> => {
    const text = `@${group["account"].username} about moss ${next()}`;
    const post = await who.post("/api/v1/statuses", { status: text, ...members }).ok();
    await t.runJobs();
    return post;
  };
  const boosted = async (group: Json): Promise<string[]> =>
    (await t.visitor.get(`/api/v1/accounts/${group["id"]}/statuses`).ok()).map(
      ({ reblog }: Json) => reblog["id"],
    );
  return { t, alice, bob, carol, refused, next, newGroup, postTo, boosted };
};
