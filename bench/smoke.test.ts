// The benchmark still runs: every scenario with its floor in a tiny world. No figure is checked.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Result } from "./results.ts";

const NAMES = [
  "first_start",
  "start_with_data",
  "idle_memory",
  "idle_memory_node",
  "idle_memory_postgres",
  "first_home_page",
  "home",
  "public",
  "hashtag",
  "account_statuses",
  "thread",
  "account",
  "notifications",
  "notifications_v2",
  "verify_credentials",
  "instance",
  "page_home",
  "page_thread",
  "page_profile",
  "page_thread_visitor",
  "page_profile_visitor",
  "page_profile_visitor_new",
  "page_first_byte",
  "page_api_p99",
  "rebuild_home",
  "post",
  "post_last_feed",
  "post_hub_last_feed",
  "inbox",
  "inbox_fedify",
  "delivery",
  "delivery_hosts",
  "delivery_shared",
  "act_favourite",
  "act_reblog",
  "act_follow",
  "stream_socket",
  "stream",
  "stream_last",
  "stream_storm",
  "mix_reads",
  "mix_reads_p99",
  "mix_reads_alone",
  "mix",
  "mix_p99",
  "mix_p99_reads",
  "mix_alone",
  "mix_memory",
  "media_jpegs",
  "media_memory",
  "media_memory_programs",
  "media_home_rest",
  "media_home",
  "media_served",
];
const ACTS = NAMES.filter((name) => name.startsWith("act_"));
const MIX = NAMES.filter((name) => name.startsWith("mix"));
const WITHOUT_FLOOR = new Set([
  "delivery_hosts",
  "delivery_shared",
  ...ACTS,
  ...MIX,
  "first_home_page",
  "page_first_byte",
  "page_api_p99",
  "rebuild_home",
  "post_last_feed",
  "post_hub_last_feed",
  "stream_socket",
  "stream_last",
  "stream_storm",
  "media_memory",
  "media_memory_programs",
  "media_home_rest",
  "media_home",
]);
/**
 * So few sockets take less than what comes and goes besides, and so little work less than a tick of the clock of
 * processes.
 */
const TINY = new Set(["stream_socket", "first_home_page"]);
/** Their floors are programs that a machine may not have. */
const MAY_HAVE_FLOOR = new Set(["media_served"]);
const COUNTED = [...NAMES.slice(6, 16), "mix_reads", "mix", "post", "inbox", ...ACTS];
const MEMBERS =
  "name value unit floor ratio aim met p50_ms p99_ms queries node_ms postgres_ms".split(" ");

const folder = mkdtempSync(join(tmpdir(), "rookery-bench-smoke-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const bench = async (...args: string[]) => {
  const file = join(folder, "result.json");
  const run = new URL("run.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [run, "--json", file, ...args]);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, err);
  return { out, results: JSON.parse(readFileSync(file, "utf8")) as Result[] };
};

const isFigure = (value: unknown): boolean =>
  typeof value === "number" && Number.isFinite(value) && value > 0;

test("every scenario runs and gives figures", async () => {
  const { out, results } = await bench("--size", "0.0001");
  assert.deepEqual(
    results.map(({ name }) => name),
    NAMES,
  );
  for (const result of results) {
    const { name, value, floor, ratio, queries, met } = result;
    assert.deepEqual(Object.keys(result), MEMBERS);
    assert.ok(TINY.has(name) ? Number.isFinite(value) : isFigure(value), `${name}: ${value}`);
    assert.ok(out.includes(`| ${name} `), name);
    if (WITHOUT_FLOOR.has(name)) assert.equal(floor, null);
    else if (MAY_HAVE_FLOOR.has(name) && floor === null) assert.equal(ratio, null);
    else assert.ok(isFigure(floor) && isFigure(ratio), `${name}: ${floor} ${ratio}`);
    // A cached page needs no query, so 0 is possible.
    if (COUNTED.includes(name)) assert.ok(queries! >= 0, `${name}: ${queries} queries`);
    if (result.aim !== null) assert.equal(typeof met, "boolean", name);
  }
});

test("what the model says is measured", async () => {
  const { results } = await bench("--size", "0.0001", "--model");
  assert.equal(results.length, 12);
  for (const { name, value, floor } of results) {
    // Of few requests none may be under way when another comes.
    if (name.includes("queue")) assert.ok(value >= 0 && floor! >= 0, name);
    else assert.ok(isFigure(value) && isFigure(floor), name);
  }
});
