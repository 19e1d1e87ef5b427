// The checks of each row: its answer by the schema, its tokens, its Link header, its errors.

import { appFaults } from "../app-models.ts";
import { shareOf } from "../fuzz.ts";
import type { Answer, TestApp } from "../harness.ts";
import { entityFaults } from "../schema.ts";
import { bodiesWith, pathGarbage, queriesWith } from "./garbage.ts";
import { noteMembers } from "./members.ts";
import { nameOf } from "./rows.ts";
import type { Body, Row } from "./rows.ts";

/** How a row is called. `token` undefined means the requester's, null means none. */
export type Call = {
  path?: Record<string, string>;
  query?: Record<string, string | string[]>;
  json?: Record<string, unknown>;
  form?: Record<string, string>;
  multipart?: FormData;
  headers?: Record<string, string>;
  token?: string | null;
};

const searchOf = (call: Call): URLSearchParams => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of [value].flat()) search.append(name, item);
  }
  return search;
};

export const addressOf = (row: Row, call: Call, search = searchOf(call)): string => {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = call.path?.[name];
    if (value === undefined) throw new Error(`the recipe gives no ${name}`);
    return value;
  });
  return search.size > 0 ? `${path}?${search}` : path;
};

let address = 0;
/** Returns headers of a proxy that give each request a client address of its own. */
export const fromAnywhere = (): Record<string, string> => {
  address += 1;
  return {
    "x-forwarded-for": `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
  };
};

/** Sends a request. Every answer of these tests is checked here against the models of apps. */
export const send = async (
  server: TestApp,
  row: Row,
  call: Call,
  method = row.method,
  address = addressOf(row, call),
): Promise<Answer> => {
  const answer = await server.request(method, address, {
    token: call.token ?? null,
    ...(call.json && { json: call.json }),
    ...(call.form && { form: call.form }),
    ...(call.multipart && { multipart: call.multipart }),
    headers: { ...fromAnywhere(), ...call.headers },
  });
  const faults = answer.status < 400 ? appFaults(answer.json, nameOf(row)) : [];
  if (faults.length > 0) throw new Error(`apps cannot read: ${[...new Set(faults)].join(", ")}`);
  noteMembers(row.responses[String(answer.status)], answer.json);
  return answer;
};

const SHAPES: Record<string, (answer: Answer) => boolean> = {
  html: (answer) => /^text\/html/.test(answer.headers.get("content-type") ?? ""),
  redirect: (answer) => answer.headers.has("location"),
  xrd: (answer) => answer.text.includes("<XRD"),
  boolean: (answer) => typeof answer.json === "boolean",
  array: (answer) => Array.isArray(answer.json),
  text: (answer) => /^text\/plain/.test(answer.headers.get("content-type") ?? ""),
  map: (answer) => typeof answer.json === "object" && !Array.isArray(answer.json),
};

const isEmpty = ({ text }: Answer): boolean => text === "" || text === "{}";

/** Returns faults of an answer, compared with the body that the row documents for its status. */
const bodyFaults = (body: Body, answer: Answer): string[] => {
  if (body === "Empty") return isEmpty(answer) ? [] : ["the body is not empty"];
  if (typeof body === "string") return entityFaults(body, answer.json);
  if (Array.isArray(body)) {
    if (!Array.isArray(answer.json)) return ["the body is no list"];
    if (answer.json.length === 0 && body[0] !== "IdentityProof") return ["the list is empty"];
    return answer.json.flatMap((item: unknown) => entityFaults(body[0], item));
  }
  if ("oneOf" in body) {
    const each = body.oneOf.map((body) => bodyFaults(body, answer));
    return each.some((faults) => faults.length === 0) ? [] : each.flat();
  }
  const holds = SHAPES[body.shape];
  if (!holds) return [`no check for ${body.shape}`];
  return holds(answer) ? [] : [`the body is no ${body.shape}`];
};

/**
 * Returns the faults of GET /api/v1/relationships in its old form: what is a boolean today was false or an object with
 * details.
 */
const olderFaults = (answer: Answer): string[] => {
  type Older = { following: unknown; muting: unknown };
  const isOlder = (value: unknown, member: string): boolean =>
    value === false || typeof (value as Record<string, unknown> | null)?.[member] === "boolean";
  return (answer.json as Older[]).flatMap((item) => [
    ...(isOlder(item.following, "reblogs") ? [] : ["following has no older shape"]),
    ...(isOlder(item.muting, "notifications") ? [] : ["muting has no older shape"]),
    ...entityFaults("Relationship", {
      ...item,
      following: !!item.following,
      muting: !!item.muting,
    }),
  ]);
};

export const answerFaults = (row: Row, answer: Answer): string[] => {
  const { status } = answer;
  if (row.path === "/api/v1/relationships" && status === 200) return olderFaults(answer);
  const body = row.responses[String(status)];
  const shown = `${status} ${answer.text.slice(0, 200)}`;
  if (status >= 400 || body === undefined) return [`answered ${shown}`];
  return bodyFaults(body, answer).map((fault) => `${fault} (${answer.text.slice(0, 400)})`);
};

const linksOf = (answer: Answer): Record<string, URL> =>
  Object.fromEntries(
    [...(answer.headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map((match) => [
      match[2]!,
      new URL(match[1]!),
    ]),
  );

/** Requests a page of one, and the page that its Link header names. */
export const pagingFaults = async (server: TestApp, row: Row, call: Call): Promise<string[]> => {
  if (row.paginated === "none") return [];
  const query = { ...call.query, limit: "1" };
  const first = await send(server, row, { ...call, query });
  if (row.paginated === "offset") {
    const second = await send(server, row, { ...call, query: { ...query, offset: "1" } });
    return second.status === 200 && second.text !== first.text ? [] : ["offset leads nowhere"];
  }
  const { next, prev } = linksOf(first);
  const forth = row.paginated === "link-id" ? "max_id" : "offset";
  if (!next?.searchParams.has(forth)) return [`no rel="next" with ${forth}: ${first.text}`];
  if (row.link_prev && !prev?.searchParams.has(row.link_prev)) {
    return [`no rel="prev" with ${row.link_prev}`];
  }
  if (next.searchParams.get("limit") !== "1") return ["the link lacks the limit"];
  const second = await send(server, row, call, "GET", next.pathname + next.search);
  if (second.status !== 200) return [`the next page answered ${second.status}`];
  return second.text === first.text ? ["the next page is the first one"] : [];
};

/** Checks that a page of three needs no more SQL statements than a page of one (after one request of each). */
export const growthFaults = async (server: TestApp, row: Row, call: Call): Promise<string[]> => {
  if (row.paginated === "none") return [];
  const counted = async (limit: string): Promise<number> => {
    const ask = () => send(server, row, { ...call, query: { ...call.query, limit } });
    await ask();
    return (await server.countQueries(ask)).queries;
  };
  const [single, three] = [await counted("1"), await counted("3")];
  return three > single ? [`${single} statements for one entry, ${three} for three`] : [];
};

/** Sends garbage in every parameter; no answer may be a 5xx. */
export const garbageFaults = async (server: TestApp, row: Row, call: Call): Promise<string[]> => {
  const faults: string[] = [];
  const note = async (what: string, answer: Promise<Answer>): Promise<void> => {
    const { status, text } = await answer;
    // 503 is allowed: a service is not configured or unavailable.
    if (status >= 500 && status !== 503) faults.push(`${what}: ${status} ${text.slice(0, 200)}`);
  };
  const { json, form, ...bare } = call;
  for (const [index, parameter] of row.params.entries()) {
    const turn = index + nameOf(row).length;
    if (parameter.in === "path") {
      for (const value of shareOf(pathGarbage(), turn)) {
        const path = { ...call.path, [parameter.name]: value };
        await note(`${parameter.name}=${value.slice(0, 40)}`, send(server, row, { ...call, path }));
      }
      continue;
    }
    const isQuery = parameter.in === "query" || row.method === "GET";
    const good = isQuery ? searchOf(call) : new URLSearchParams(form ?? {});
    for (const search of shareOf(queriesWith(parameter, good), turn)) {
      const label = `${parameter.name}: ${search.toString().slice(0, 120)}`;
      if (isQuery)
        await note(label, send(server, row, call, row.method, addressOf(row, call, search)));
      else await note(label, send(server, row, { ...bare, form: Object.fromEntries(search) }));
    }
    if (isQuery || parameter.in === "header") continue;
    for (const body of shareOf(bodiesWith(parameter, json ?? form ?? {}), turn)) {
      const label = `${parameter.name}: ${JSON.stringify(body).slice(0, 160)}`;
      await note(label, send(server, row, { ...bare, json: body as Record<string, unknown> }));
    }
  }
  return faults;
};
