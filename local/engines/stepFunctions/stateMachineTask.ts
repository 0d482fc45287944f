import * as z from 'zod';
import type { InvocationResult } from '../../lambda/sandbox.ts';
import type { TaskDeclaration } from '../../template/stateMachines.ts';

/** Calls a function with an event, JSON. It never throws. */
export type InvokeByArn = (functionArn: string, event: string) => Promise<InvocationResult>;

const Json = z.json();
export type Json = z.infer<typeof Json>;

/** What a state may take and give, in bytes of JSON. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

export const isTooLarge = (value: unknown): boolean =>
  Buffer.byteLength(JSON.stringify(value) ?? '') > PAYLOAD_LIMIT_BYTES;

/** A fault under the name that Retry and Catch ask for. */
class StateError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** A fault that ends the execution: the interpreter asks for these two properties before it looks at Retry and Catch. */
export class TerminalError extends StateError {
  readonly isRetryable = false;
  readonly isCatchable = false;
}

export const tooLarge = (state: string): TerminalError =>
  new TerminalError(
    'States.DataLimitExceeded',
    `The state/task '${state}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );

/** The wrapped form takes the event from its parameters and answers with what an Invoke call answers. */
const Wrapped = z.object({ Payload: Json.default({}) });

/** Calls a task's function. Throws what it threw: its type as the name, its whole report as the cause. */
export async function runTask(
  state: string,
  { functionArn, wrapped }: TaskDeclaration,
  input: Json,
  invoke: InvokeByArn,
): Promise<Json> {
  const answer = await invoke(functionArn, JSON.stringify(wrapped ? Wrapped.parse(input).Payload : input));
  if (!answer.ok) throw new StateError(answer.error.errorType, JSON.stringify(answer.error));
  const payload = Json.parse(JSON.parse(answer.payload));
  if (isTooLarge(payload)) throw tooLarge(state);
  return wrapped ? { ExecutedVersion: '$LATEST', Payload: payload, StatusCode: 200 } : payload;
}
