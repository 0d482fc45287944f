/** What an operation answers, before trace, rate and cache headers are added. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Already serialised, or a value to serialise as JSON. */
  readonly body: unknown;
  /** Values of Set-Cookie. */
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
