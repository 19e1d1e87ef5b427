// The tracing port: spans of requests, statements, jobs, events and outgoing requests. It is null where nobody collects
// them (OTEL_EXPORTER_OTLP_ENDPOINT), and then costs one comparison. Spans have routes, names of jobs and statements
// without values: never what people wrote, who they are, or where they are.

export type Attributes = Record<string, string | number | boolean>;
export type SpanKind = "server" | "client" | "consumer";

export type OpenSpan = {
  set(attributes: Attributes): void;
  name(name: string): void;
  /** Records the class of `error`, and never its message. */
  end(error?: unknown): void;
  /** Runs `work` as part of this span. */
  run<T>(work: () => T): T;
};

export type SpanOptions = {
  kind: SpanKind;
  attributes?: Attributes;
  /** W3C traceparent of the requester; it is only linked, because anybody can send one. */
  link?: string | undefined;
};

export type Tracing = {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Returns null outside of any span, where the new one would belong to nothing. */
  startWithin(name: string, options: SpanOptions): OpenSpan | null;
  /** Sends the remaining spans. */
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
