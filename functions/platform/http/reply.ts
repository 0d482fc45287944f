/** The response of an operation, before trace, rate-limit and cache headers are added. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A serialized string, bytes, or a value to serialize as JSON. */
  readonly body: unknown;
  /** Set-Cookie header values. */
  readonly cookies?: readonly string[];
}

export const reply = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  body,
  headers,
});
