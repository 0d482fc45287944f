import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { limitsOf } from './modelLimits.ts';

/**
 * What instrumentations are known to leave out of their counts, and the most tokens that it can be: a whole context, and the
 * longest answer, of the models in question (judgement), unless those of the model are listed. A factor on the cost would be no
 * bound: a short question can have a long thought.
 */
export const LEFT_OUT = {
  /** Of Gemini, within its longest answer. */
  thoughts: { input: 0, output: 65_536 },
  /** Of Claude and Nova on Amazon Bedrock. */
  'cached tokens': { input: 1_000_000, output: 0 },
  /** Of Claude, whose answer was interrupted or is still being written. */
  output_tokens_after_last_line: { input: 0, output: 128_000 },
  /** All but the text of a stream of OpenAI. */
  stream: { input: 1_050_000, output: 128_000 },
  /** Counts by the number of characters, of Cohere and Mistral on Amazon Bedrock. */
  'estimated tokens': { input: 131_072, output: 8_192 },
} as const satisfies Record<string, { readonly input: number; readonly output: number }>;

export type LeftOut = keyof typeof LEFT_OUT;

const isLeftOut = (name: string): name is LeftOut => Object.hasOwn(LEFT_OUT, name);

/** A count that an event has no member for. Without a count, only its name is known. */
export interface UnreadCount {
  readonly name: string;
  readonly count?: number | undefined;
}

/** The longest context of a model in use, for what states no count. */
const CONTEXT_TOKENS = 1_050_000;
const STATED = /^(.+)=(\d{1,15})$/;

/** The form of an unread count in an event, at most as long as a label: `video_tokens=1200`. */
export const unreadLabel = ({ name, count }: UnreadCount, length: number): string => {
  const stated = count === undefined ? '' : `=${Math.ceil(count)}`;
  return `${name.slice(stated.length - length)}${stated}`;
};

/** Words of what is charged by itself. All other usage is counted in tokens. */
const UNIT =
  /request|search|quer(?:y|ies)|call|tools_used|execution|session|second|minute|page|credit|image/i;

/** Tokens and other units that no price of the model is known for. */
export interface UnreadUnits {
  readonly tokens: number;
  readonly units: number;
}

const unreadIn = ({ unread_usage: unread = [] }: Pick<InvocationEvent, 'unread_usage'>) => ({
  leftOut: unread.filter(isLeftOut),
  counted: unread.filter((label) => !isLeftOut(label)),
});

/** The most that a call used for which an event has no member. Without a count, at most all that its model takes. */
export const unreadUnits = (event: Pick<InvocationEvent, 'unread_usage'>, model: string): UnreadUnits =>
  unreadIn(event).counted.reduce(
    ({ tokens, units }, label) => {
      const [, name = label, count] = STATED.exec(label) ?? [];
      if (count === undefined) {
        const { input, output } = limitsOf(model) ?? { input: CONTEXT_TOKENS, output: 0 };
        return { tokens: tokens + input + output, units };
      }
      return UNIT.test(name) && !/token/i.test(name)
        ? { tokens, units: units + Number(count) }
        : { tokens: tokens + Number(count), units };
    },
    { tokens: 0, units: 0 },
  );

/**
 * The call with all tokens that its instrumentation can have left out, or null if it leaves out none. Its further input tokens
 * count as written to a cache, which costs most.
 */
export const fullestReading = (event: InvocationEvent, model: string): InvocationEvent | null => {
  const { leftOut } = unreadIn(event);
  if (leftOut.length === 0 || event.input_tokens === undefined) return null;
  const limits = limitsOf(model);
  const most = (kind: 'input' | 'output', counted: number): number => {
    const limit = limits?.[kind] ?? Number.POSITIVE_INFINITY;
    // A call beyond it shows that the limit is another one.
    const listed = counted > limit ? Number.POSITIVE_INFINITY : limit;
    return Math.max(0, ...leftOut.map((name) => Math.min(LEFT_OUT[name][kind], listed) - counted));
  };
  const input = most('input', event.input_tokens);
  const { cache_write_1h_tokens: hourWrite, ...others } = event;
  return {
    ...others,
    ...(input === 0 && hourWrite !== undefined && { cache_write_1h_tokens: hourWrite }),
    input_tokens: event.input_tokens + input,
    ...((input > 0 || event.cache_write_tokens !== undefined) && {
      cache_write_tokens: (event.cache_write_tokens ?? 0) + input,
    }),
    ...(event.output_tokens !== undefined && {
      output_tokens: event.output_tokens + most('output', event.output_tokens),
    }),
  };
};
