import type { ExecutionRun, Machine } from './stateMachineRun.ts';
import type { Execution, ExecutionEnding, ExecutionStore } from './stateMachineStore.ts';
import type { InvokeByArn } from './stateMachineTask.ts';

/** The executions of all machines: what is written of them, and those that run in this process. */
export class Executions {
  readonly store: ExecutionStore;
  readonly #now: () => number;
  readonly #machines = new Map<string, Machine>();
  readonly #runs = new Map<string, ExecutionRun>();
  #invoke: InvokeByArn | undefined;

  constructor(store: ExecutionStore, now: () => number) {
    this.store = store;
    this.#now = now;
  }

  /** How many run here. */
  get running(): number {
    return this.#runs.size;
  }

  machine(arn: string): Machine | undefined {
    return this.#machines.get(arn);
  }

  /**
   * Takes the machines and goes on with what an earlier process left running. For a caller such an execution never
   * stopped; it runs from its first state again, since what its states had in hand is gone. Tasks that had been done are
   * done once more, as after a retry.
   */
  serve(machines: Machine[], invoke: InvokeByArn): void {
    this.#invoke = invoke;
    for (const machine of machines) this.#machines.set(machine.arn, machine);
    for (const execution of this.store.running()) this.#run(execution);
  }

  /** Writes a new execution down, then runs it. */
  start(machine: Machine, execution: Pick<Execution, 'arn' | 'name' | 'input'>): Execution {
    const added = this.store.add({ ...execution, machineArn: machine.arn, startedAt: this.#now() });
    this.#run(added);
    return added;
  }

  /** Ends an execution at a caller's wish. A function that runs for it goes on, and its answer is not heeded. */
  stop(arn: string, ending: ExecutionEnding): number {
    const at = this.#now();
    this.store.end(arn, ending, at);
    void this.#runs.get(arn)?.halt();
    return at;
  }

  /** Lets no further state begin and waits for the functions called. What then still runs goes on at the next start. */
  async drain(): Promise<void> {
    this.#invoke = undefined;
    await Promise.all([...this.#runs.values()].map((run) => run.halt()));
  }

  #run(execution: Execution): void {
    if (!this.#invoke) return;
    const machine = this.#machines.get(execution.machineArn);
    if (!machine) {
      const cause = 'The state machine is no longer declared';
      this.store.end(execution.arn, { status: 'FAILED', error: 'States.Runtime', cause }, this.#now());
      return;
    }
    const run = machine.run(execution, this.#invoke);
    this.#runs.set(execution.arn, run);
    void run.ended.then((ending) => {
      this.#runs.delete(execution.arn);
      if (ending) this.store.end(execution.arn, ending, this.#now());
    });
  }
}
