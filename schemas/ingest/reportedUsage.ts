import type * as z from 'zod';
import { InvocationEventFields } from './invocationEvent.ts';

/** The members of an event that say what its call used. They belong together: one convention of counting covers them all. */
export const ReportedUsage = InvocationEventFields.pick({
  input_tokens: true,
  input_tokens_high: true,
  cached_input_tokens: true,
  cache_write_tokens: true,
  cache_write_1h_tokens: true,
  audio_input_tokens: true,
  cached_audio_input_tokens: true,
  image_input_tokens: true,
  output_tokens: true,
  output_tokens_high: true,
  reasoning_tokens: true,
  audio_output_tokens: true,
  image_output_tokens: true,
  web_searches: true,
  file_searches: true,
  code_executions: true,
  rerank_searches: true,
  audio_seconds: true,
  video_seconds: true,
  images: true,
  pages: true,
  characters: true,
  unread_usage: true,
  estimated_cost_usd: true,
  unread_cost: true,
  cost_source: true,
  service_tier: true,
  billing_mode: true,
});
export type ReportedUsage = z.infer<typeof ReportedUsage>;

const NONE: ReportedUsage = Object.fromEntries(
  Object.keys(ReportedUsage.shape).map((name) => [name, undefined]),
);

/** What an event says of the usage of its call. */
export const usageIn = (event: object): ReportedUsage =>
  Object.fromEntries(
    Object.entries(event).filter(([name, value]) => Object.hasOwn(NONE, name) && (value ?? null) !== null),
  );

/** An event with the usage of another report of its call. What that does not state is undefined. */
export const withUsage = <Event extends object>(
  event: Event,
  usage: ReportedUsage,
): Event & ReportedUsage => ({
  ...event,
  ...NONE,
  ...usage,
});
