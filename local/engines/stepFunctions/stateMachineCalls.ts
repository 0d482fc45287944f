import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TaskDeclaration } from '../../template/stateMachines.ts';
import { type InvokeByArn, type Json, runTask, TerminalError } from './stateMachineTask.ts';

/** The calls one execution makes, and what keeps it from making more. */
export class TaskCalls {
  /** What the interpreter calls for each task, by the name of its state. */
  readonly handlers: Record<string, (input: Json) => Promise<Json>>;
  /** Names of maps that have failed and not begun anew. */
  readonly failedMaps = new Set<string>();
  halted = false;
  readonly #invoke: InvokeByArn;
  readonly #underWay = new Set<Promise<Json>>();

  constructor(tasks: Record<string, TaskDeclaration>, invoke: InvokeByArn) {
    this.#invoke = invoke;
    this.handlers = Object.fromEntries(
      Object.entries(tasks).map(([state, task]) => [state, (input: Json) => this.#call(state, task, input)]),
    );
  }

  /** Resolves once no function of this execution runs. */
  async whenIdle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #call(state: string, task: TaskDeclaration, input: Json): Promise<Json> {
    // After an item of a map has failed the interpreter still begins those that waited for their turn, where AWS leaves
    // them. It tells of the failure in this very turn of the event loop, so a turn later it is known whose they are.
    await nextTurn();
    if (this.halted || task.maps.some((map) => this.failedMaps.has(map))) {
      throw new TerminalError('States.Runtime', 'The execution or the map has ended');
    }
    const call = runTask(state, task, input, this.#invoke);
    this.#underWay.add(call);
    return call.finally(() => this.#underWay.delete(call));
  }
}
