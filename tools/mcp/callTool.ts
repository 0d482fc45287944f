import { type Client, send } from '../../sdk/typescript/src/client.ts';
import { AttributionError, ConfigurationError, ConnectionError } from '../../sdk/typescript/src/errors.ts';
import { ArgumentError, type ReadTool } from './readTools.ts';

/** About 25,000 tokens. A longer result would fill the context of the model. */
export const RESULT_CHARACTERS_MAXIMUM = 100_000;

/** The result of a tool as the protocol has it. */
export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  /** The same as an object, for programs. */
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

const resultOf = (text: string, isError = false): ToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

/** What a model needs to correct its call: the problem document of the service, or a sentence. */
const errorOf = (error: unknown): string => {
  if (error instanceof AttributionError && error.problem !== undefined) return JSON.stringify(error.problem);
  if (error instanceof ConnectionError) return 'The service did not answer. Try again later.';
  if (
    error instanceof AttributionError ||
    error instanceof ArgumentError ||
    error instanceof ConfigurationError
  )
    return error.message;
  throw error;
};

/** Calls the operation of a tool. A failure of the operation is a result that the model sees, not a protocol error. */
export const callTool = async (
  client: Client,
  { requestOf }: ReadTool,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> => {
  try {
    const answer = await send<unknown>(client, requestOf(given), { signal });
    const text = JSON.stringify(answer);
    if (text.length <= RESULT_CHARACTERS_MAXIMUM) return { ...resultOf(text), structuredContent: answer };
    const advice = 'Ask for less: a smaller limit, a shorter range, or fewer groups.';
    return resultOf(`The result has ${text.length} characters, which is too long. ${advice}`, true);
  } catch (error) {
    signal.throwIfAborted();
    return resultOf(errorOf(error), true);
  }
};
