import * as z from 'zod';
import type { InvocationResult } from '../../lambda/sandbox.ts';
import type { TaskDeclaration } from '../../template/stateMachines.ts';

/** Calls a function with a JSON event. Never throws. */
export type InvokeByArn = (functionArn: string, event: string) => Promise<InvocationResult>;

const Json = z.json();
export type Json = z.infer<typeof Json>;

/** Limit of the input and output of a state, in bytes of JSON. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

export const isTooLarge = (value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value) ?? '') > PAYLOAD_LIMIT_BYTES;

/** An error with the name that Retry and Catch match. */
class StateError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** An error that ends the execution. The interpreter checks these two properties before Retry and Catch. */
export class TerminalError extends StateError {
  readonly isRetryable = false;
  readonly isCatchable = false;
}

export const tooLarge = (state: string): TerminalError =>
  new TerminalError(
    'States.DataLimitExceeded',
    `The state/task '${state}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );

/** The optimised integration takes the event from its parameters and returns the response of an Invoke call. */
const Wrapped = z.object({ Payload: Json.default({}) });

/** Calls the function of a task. Throws the error of the function: its type as the name, the full report as the message. */
export async function runTask(
  state: string,
  { functionArn, wrapped }: TaskDeclaration,
  input: Json,
  invoke: InvokeByArn,
): Promise<Json> {
  const result = await invoke(functionArn, JSON.stringify(wrapped ? Wrapped.parse(input).Payload : input));
  if (!result.ok) throw new StateError(result.error.errorType, JSON.stringify(result.error));
  const payload = Json.parse(JSON.parse(result.payload));
  if (isTooLarge(payload)) throw tooLarge(state);
  return wrapped ? { ExecutedVersion: '$LATEST', Payload: payload, StatusCode: 200 } : payload;
}
