// The tracing port: spans of requests, statements, jobs, events and outgoing requests. It is null where nobody collects
// them (OTEL_EXPORTER_OTLP_ENDPOINT), and then costs a comparison. Spans have routes, names of jobs and statements
// without values: never what people wrote, who they are, or where they are.

export type Attributes = Record<string, string | number | boolean>;
export type SpanKind = "server" | "client" | "consumer";

export type OpenSpan = {
  set(attributes: Attributes): void;
  name(name: string): void;
  /** `error`: its class is recorded, and never its message. */
  end(error?: unknown): void;
  /** What `work` does belongs to this span. */
  run<T>(work: () => T): T;
};

export type SpanOptions = {
  kind: SpanKind;
  attributes?: Attributes;
  /** W3C traceparent of who asks: linked, because anybody can send one. */
  link?: string | undefined;
};

export type Tracing = {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Null outside of any span: nobody would know what it belongs to. */
  startWithin(name: string, options: SpanOptions): OpenSpan | null;
  /** Sends what is left. */
  close(): Promise<void>;
};

export const traced = async <T>(
  tracing: Tracing | null,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> => {
  if (!tracing) return work();
  const span = tracing.start(name, options);
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
};
