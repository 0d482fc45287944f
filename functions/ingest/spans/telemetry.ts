/** An attribute value that a mapping can use. Bytes are skipped. */
export type AttributeValue = string | number | boolean | readonly string[];

/** A map as a value. Read only where the name says that it holds counts, costs or settings. */
export type AttributeMap = ReadonlyMap<string, AttributeValue | AttributeMap | undefined>;

/** Most maps in a map that are read: `ai.response.providerMetadata.anthropic.usage.cache_creation.ephemeral_1h_input_tokens`. */
export const MAP_DEPTH_MAXIMUM = 4;

/** Attributes on the allow-list, by name. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

/** Most items of a list attribute that are kept. Lists hold the tags of a call, and an event takes 20 of them. */
export const LIST_ITEMS_MAXIMUM = 20;

/** What was skipped in an export. */
export interface Skipped {
  /** Names of attributes that hold prompts or model output. Their values were never decoded. */
  readonly content: Set<string>;
}

/** Where a span or a log record comes from. */
export interface Origin {
  readonly resource: Attributes;
  /** Name of the instrumentation scope. */
  readonly scope: string;
  readonly scopeVersion: string;
}

/** The parts of an OpenTelemetry span that tell of an inference call. Ids in lower-case hex; times in Unix nanoseconds. */
export interface Span extends Origin {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: a root span. */
  readonly parentSpanId: string;
  /** `SpanKind`: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly isError: boolean;
}

/** The parts of an OpenTelemetry log record that tell of an inference call. */
export interface LogRecord extends Origin {
  readonly traceId: string;
  readonly spanId: string;
  readonly eventName: string;
  /** Unix nanoseconds; the observed time if the record has no time of its own. */
  readonly time: bigint;
  readonly attributes: Attributes;
  /** The value of a body that counts tokens. No other body is kept: it is text for people, and may hold content. */
  readonly body?: unknown;
}

/** Thrown for a body that is not an OTLP export. The message never quotes the body. */
export class MalformedExportError extends Error {}
