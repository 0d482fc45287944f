import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TaskDeclaration } from '../../template/stateMachines.ts';
import { type InvokeByArn, type Json, runTask, TerminalError } from './stateMachineTask.ts';

/** The task calls of one execution. Blocks new calls after the execution or their map has failed. */
export class TaskCalls {
  /** The task handlers of the interpreter, by state name. */
  readonly handlers: Record<string, (input: Json) => Promise<Json>>;
  /** Names of maps that have failed and were not entered again. */
  readonly failedMaps = new Set<string>();
  halted = false;
  readonly #invoke: InvokeByArn;
  readonly #inFlight = new Set<Promise<Json>>();

  constructor(tasks: Record<string, TaskDeclaration>, invoke: InvokeByArn) {
    this.#invoke = invoke;
    this.handlers = Object.fromEntries(
      Object.entries(tasks).map(([state, task]) => [state, (input: Json) => this.#call(state, task, input)]),
    );
  }

  /** Resolves once no function of this execution runs. */
  async whenIdle(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  async #call(state: string, task: TaskDeclaration, input: Json): Promise<Json> {
    // After a map item fails, the interpreter still starts the waiting items, unlike AWS. It reports the failure in the
    // same turn of the event loop, so one turn later `failedMaps` is up to date.
    await nextTurn();
    if (this.halted || task.maps.some((map) => this.failedMaps.has(map))) {
      throw new TerminalError('States.Runtime', 'The execution or the map has ended');
    }
    const call = runTask(state, task, input, this.#invoke);
    this.#inFlight.add(call);
    return call.finally(() => this.#inFlight.delete(call));
  }
}
