// Traces of a real server, as a collector gets them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { readConfig } from "../config/config.ts";
import { stopTracingQueries } from "../db/traced.ts";
import type { Tracing } from "./index.ts";
import { openTracing } from "./otel.ts";

type Value = { stringValue?: string; intValue?: number | string };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string }[];
  status: { code?: number };
};

const bodies: string[] = [];
const headers: Record<string, unknown>[] = [];
const collector = createServer(async (request, response) => {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  bodies.push(Buffer.concat(chunks).toString());
  headers.push({ path: request.url, key: request.headers["x-key"] });
  response.setHeader("content-type", "application/json").end("{}");
});

let server: TestApp;
let tracing: Tracing;
let peer: Awaited<ReturnType<typeof startPeer>>;
let alice: Person;
const ENVIRONMENT = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_SERVICE_NAME"];

before(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  process.env["OTEL_EXPORTER_OTLP_HEADERS"] = "x-key=opensesame";
  process.env["OTEL_SERVICE_NAME"] = "club";
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` });
  tracing = openTracing(config.tracing!, 60_000);
  peer = await startPeer();
  server = await startTestApp({ tracing, env: { METRICS_TOKEN: "m" } });
  alice = await server.person("alice");
});
after(async () => {
  for (const name of ENVIRONMENT) delete process.env[name];
  await peer.close();
  await server.close();
  collector.close();
});

const attribute = (span: Span, name: string): string | undefined => {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value && String(value.stringValue ?? value.intValue);
};

/** What a file of deploy/ names. */
const metricsOf = (name: string): Set<string> => {
  const file = new URL(`../../../deploy/${name}`, import.meta.url);
  return new Set(readFileSync(file, "utf8").match(/\b(?:rookery|process|nodejs)_[a-z_]+/g));
};

test("a request, its statements, its job and what it asks of others are spans that belong together", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await alice
    .post("/api/v1/statuses?secret=hidden", { status: "a very private text" }, { traceparent })
    .ok();
  await alice.get(`/api/v2/search?resolve=true&q=${peer.actor("stranger").uri}`);
  await server.visitor.get("/api/v1/statuses/1");
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
  await tracing.close();
  stopTracingQueries();

  const all = bodies.join("\n");
  const sent = bodies.map((body) => JSON.parse(body).resourceSpans[0]);
  const spans: Span[] = sent.flatMap(({ scopeSpans }) => scopeSpans[0].spans);
  const named = (name: string): Span => {
    const span = spans.find((span) => span.name === name);
    assert.ok(span, `${name} is not among ${spans.map((span) => span.name).join(", ")}`);
    return span;
  };
  assert.deepEqual(headers[0], { path: "/v1/traces", key: "opensesame" });
  assert.match(JSON.stringify(sent[0].resource), /"service.name","value":\{"stringValue":"club"/);

  const request = named("POST /api/v1/statuses");
  assert.equal(request.parentSpanId ?? "", "");
  assert.deepEqual(
    request.links!.map(({ traceId }) => traceId),
    ["0af7651916cd43dd8448eb211c80319c"],
  );
  assert.equal(attribute(request, "http.route"), "/api/v1/statuses");
  assert.equal(attribute(request, "http.response.status_code"), "200");
  assert.match(attribute(request, "rookery.request_id")!, /-\d+$/);
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  assert.ok(statements.length > 0);
  for (const statement of statements) {
    assert.equal(statement.traceId, request.traceId);
    assert.match(statement.name, /^[A-Z]+$/);
  }
  assert.ok(
    statements.some((statement) => /\$1/.test(attribute(statement, "db.query.text") ?? "")),
  );

  const search = named("GET /api/v2/search");
  const outgoing = spans.filter((span) => attribute(span, "server.address") === peer.host);
  assert.ok(outgoing.some(({ traceId }) => traceId === search.traceId));
  // Jobs ask the same server for what else there is to know, each within a span of its own.
  const known = new Set(spans.map(({ spanId }) => spanId));
  assert.ok(outgoing.every(({ parentSpanId }) => known.has(parentSpanId!)));
  assert.equal(attribute(outgoing[0]!, "http.response.status_code"), "200");
  assert.equal(attribute(named("GET /api/v1/statuses/:id"), "http.response.status_code"), "404");
  assert.ok(named("event status.created"));
  const job = named("job files.delete");
  assert.ok(spans.some(({ parentSpanId }) => parentSpanId === job.spanId));

  // Neither what people write, nor who they are, nor where.
  for (const secret of ["private text", "hidden", alice.token, '127.0.0.1"', "stranger", "alice"]) {
    assert.ok(!all.includes(secret), secret);
  }
});

test("metrics count the same, and the dashboard shows nothing that they do not have", async () => {
  const { text } = await server.as("m").get("/metrics");
  const post = 'method="POST",route="/api/v1/statuses",status="200"';
  assert.ok(text.includes(`rookery_http_request_seconds_count{${post}} 1\n`), text);
  assert.ok(text.includes(`rookery_http_request_seconds_bucket{${post},le="+Inf"} 1\n`));
  assert.match(text, /rookery_job_seconds_count\{job="files.delete",result="done"\} 1\n/);
  assert.match(text, /rookery_outgoing_request_seconds_count\{method="GET",status="200"\} \d+\n/);
  assert.match(text, /\nrookery_jobs_waiting 0\n/);
  assert.match(text, /\nrookery_backup_time_seconds NaN\n/);
  const shown = metricsOf("grafana-dashboard.json");
  const alerted = metricsOf("prometheus-alerts.yaml");
  assert.ok(shown.size > 15 && alerted.size > 10);
  // Of Valkey and of a replica only where there is one.
  const here = [...shown, ...alerted].filter((name) => !/^rookery_(?:valkey|replica)_/.test(name));
  // Without a line where nothing is waiting.
  for (const name of here) assert.match(text, new RegExp(`(?:\\n|# TYPE )${name}(?:\\{| )`), name);
});

test("nothing is loaded where nobody collects; wrong settings are named", () => {
  assert.equal(readConfig({}).tracing, null);
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318";
  assert.equal(
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: "true" }).tracing,
    null,
  );
  const sampled = {
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
  };
  assert.deepEqual(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...sampled }).tracing, {
    url: "http://127.0.0.1:4318/v1/traces",
    sampler: "traceidratio",
    ratio: 0.1,
  });
  for (const wrong of [
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    { OTEL_TRACES_SAMPLER: "sometimes" },
    { OTEL_TRACES_SAMPLER_ARG: "2" },
  ]) {
    assert.throws(
      () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...wrong }),
      /^Error: OTEL_.*\.$/,
    );
  }
});
