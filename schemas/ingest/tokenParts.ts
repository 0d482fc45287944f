import type * as z from 'zod';

/** Token counts, and the counts that are disjoint parts of them. */
export const TOKEN_PARTS = [
  { whole: 'input_tokens', parts: ['cached_input_tokens', 'cache_write_tokens'] },
  { whole: 'input_tokens', parts: ['audio_input_tokens', 'image_input_tokens'] },
  { whole: 'audio_input_tokens', parts: ['cached_audio_input_tokens'] },
  { whole: 'cache_write_tokens', parts: ['cache_write_1h_tokens'] },
  { whole: 'output_tokens', parts: ['reasoning_tokens', 'audio_output_tokens', 'image_output_tokens'] },
] as const;

type PartName = (typeof TOKEN_PARTS)[number]['parts'][number];
type Counts = Readonly<Partial<Record<PartName | (typeof TOKEN_PARTS)[number]['whole'], number | undefined>>>;

/** Refuses parts whose sum exceeds the count that contains them. */
export const checkTokenParts = (event: Counts, issues: z.core.$RefinementCtx): void => {
  for (const { whole, parts } of TOKEN_PARTS) {
    const total = event[whole];
    const sum = parts.reduce((all, part) => all + (event[part] ?? 0), 0);
    const reported = parts.filter((part) => event[part] !== undefined);
    if (total === undefined || sum <= total) continue;
    issues.addIssue({
      code: 'custom',
      path: [reported[0] ?? whole],
      message:
        reported.length === 1
          ? `${reported[0]} is part of ${whole} and must not exceed it`
          : `${reported.join(' and ')} are parts of ${whole}. Their sum must not exceed it`,
    });
  }
};
