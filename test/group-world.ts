// A server with three people, and a group that one of them makes and another joins: for the tests of groups.

import assert from "node:assert/strict";
import { startTestApp } from "./harness.ts";
import type { Answer, Person, TestApp } from "./harness.ts";

export type Json = Record<string, any>;

export type GroupWorld = {
  t: TestApp;
  alice: Person;
  bob: Person;
  carol: Person;
  api(method: string, path: string, who: Person | null, json?: unknown): Promise<Answer>;
  /** Sends a request that has to be answered with 200; returns the body. */
  done(method: string, path: string, who: Person | null, json?: unknown): Promise<any>;
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
  const api: GroupWorld["api"] = (method, path, who, json) =>
    t.request(method, `/api/v1/${path}`, { token: who?.token ?? null, ...(json ? { json } : {}) });
  const done: GroupWorld["done"] = async (method, path, who, json) => {
    const answer = await api(method, path, who, json);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.json;
  };
  const refused: GroupWorld["refused"] = async (status, path, who, json) => {
    const answer = await api("POST", path, who, json ?? {});
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    assert.ok(answer.json.error);
  };
  const newGroup = async (members: Json = {}): Promise<Json> => {
    const group = await done("POST", "groups", alice, { name: `group${next()}`, ...members });
    await done("POST", `accounts/${group.id}/follow`, bob);
    await t.runJobs();
    return group;
  };
  const postTo = async (group: Json, who: Person, members: Json = {}): Promise<Json> => {
    const text = `@${group["account"].username} about moss ${next()}`;
    const post = await done("POST", "statuses", who, { status: text, ...members });
    await t.runJobs();
    return post;
  };
  const boosted = async (group: Json): Promise<string[]> =>
    (await done("GET", `accounts/${group["id"]}/statuses`, null)).map(
      ({ reblog }: Json) => reblog["id"],
    );
  return { t, alice, bob, carol, api, done, refused, next, newGroup, postTo, boosted };
};
