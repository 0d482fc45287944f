/** Content codings that responses use (RFC 9110 §8.4.1, RFC 7932), the better one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** The weight of a coding (RFC 9110 §12.4.2). One that cannot be read counts as 0. */
const weightOf = (text: string | undefined): number => {
  if (text === undefined) return 1;
  return /^(?:1(?:\.0{0,3})?|0(?:\.\d{0,3})?)$/.test(text) ? Number(text) : 0;
};

/** The codings of an Accept-Encoding header with their weights. */
const weightsOf = (accepted: string): Map<string, number> =>
  new Map(
    accepted
      .toLowerCase()
      .replaceAll(/\s/g, '')
      .split(',')
      .map((item) => {
        const [coding = '', weight] = item.split(';q=');
        return [coding, weightOf(weight)];
      }),
  );

/**
 * The best of the offered codings that an Accept-Encoding header allows (RFC 9110 §12.5.3). Null: send the text as it is.
 */
export const acceptedEncoding = (
  accepted: string | undefined,
  offered: readonly Encoding[] = encodings,
): Encoding | null => {
  const weights = weightsOf(accepted ?? '');
  return offered.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0) ?? null;
};
