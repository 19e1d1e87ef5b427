// Collects spans for OpenTelemetry in memory, within limits, and sends them by OTLP over HTTP (JSON). It is loaded only
// where somebody collects them.

import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import type { Context, Link, Span } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { exposeStandardVariables } from "../config/config.ts";
import type { FullConfig } from "../config/config.ts";
import { VERSION } from "../version.ts";
import type { OpenSpan, SpanOptions, Tracing } from "./index.ts";

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/** Parses a traceparent: https://www.w3.org/TR/trace-context/#traceparent-header */
const linkOf = (traceparent: string | undefined): Link[] => {
  const [, traceId, spanId] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return [];
  return [{ context: { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true } }];
};

const rootSampler = ({ sampler, ratio }: NonNullable<FullConfig["tracing"]>) => {
  if (sampler === "always_off") return new AlwaysOffSampler();
  return sampler === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};

/** Spans in memory; further ones are dropped, so that an unreachable collector costs no memory. */
const QUEUE = { maxQueueSize: 2048, maxExportBatchSize: 512 };
const LIMITS = { attributeValueLengthLimit: 2000, attributeCountLimit: 32, linkCountLimit: 4 };

const className = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : typeof error;

export const openTracing = (
  tracing: NonNullable<FullConfig["tracing"]>,
  delayMs = 5000,
): Tracing => {
  exposeStandardVariables();
  const named = resourceFromAttributes({ "service.name": "rookery", "service.version": VERSION });
  const exporter = new OTLPTraceExporter({ url: tracing.url });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: rootSampler(tracing) }),
    spanLimits: LIMITS,
    spanProcessors: [new BatchSpanProcessor({ exporter, ...QUEUE, scheduledDelayMillis: delayMs })],
  });
  const tracer = provider.getTracer("rookery", VERSION);
  const current = new AsyncLocalStorage<Context>();

  const wrap = (span: Span): OpenSpan => ({
    set: (attributes) => void span.setAttributes(attributes),
    name: (name) => void span.updateName(name),
    end(error) {
      if (error !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", className(error));
      }
      span.end();
    },
    run: (work) => current.run(trace.setSpan(current.getStore() ?? ROOT_CONTEXT, span), work),
  });
  /** Work that runs later, for many at once, is a trace of its own, linked to what caused it. */
  const parentOf = (kind: SpanOptions["kind"]): { parent: Context; links: Link[] } => {
    const parent = current.getStore() ?? ROOT_CONTEXT;
    if (kind !== "consumer") return { parent, links: [] };
    const context = trace.getSpanContext(parent);
    return { parent: ROOT_CONTEXT, links: context ? [{ context }] : [] };
  };
  const start = (name: string, { kind, attributes = {}, link }: SpanOptions): OpenSpan => {
    const { parent, links } = parentOf(kind);
    const options = { kind: KINDS[kind], attributes, links: [...links, ...linkOf(link)] };
    return wrap(tracer.startSpan(name, options, parent));
  };
  return {
    start,
    startWithin: (name, options) => (current.getStore() ? start(name, options) : null),
    close: () => provider.shutdown(),
  };
};
