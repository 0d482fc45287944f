import type { ExecutionRun, Machine } from './stateMachineRun.ts';
import type { Execution, ExecutionEnding, ExecutionStore } from './stateMachineStore.ts';
import type { InvokeByArn } from './stateMachineTask.ts';

/** The executions of all state machines: their store, and the runs in this process. */
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

  /** The number of executions that run in this process. */
  get running(): number {
    return this.#runs.size;
  }

  machine(arn: string): Machine | undefined {
    return this.#machines.get(arn);
  }

  /**
   * Registers the machines and resumes executions that an earlier process left running. To a caller such an execution
   * never stopped. It restarts at its first state because the state data is lost. Completed tasks run again, as after a
   * retry.
   */
  serve(machines: Machine[], invoke: InvokeByArn): void {
    this.#invoke = invoke;
    for (const machine of machines) this.#machines.set(machine.arn, machine);
    for (const execution of this.store.running()) this.#run(execution);
  }

  /** Stores a new execution, then runs it. */
  start(machine: Machine, execution: Pick<Execution, 'arn' | 'name' | 'input'>): Execution {
    const added = this.store.add({ ...execution, machineArn: machine.arn, startedAt: this.#now() });
    this.#run(added);
    return added;
  }

  /** Ends an execution on request. A function that is running continues, but its result is ignored. */
  stop(arn: string, ending: ExecutionEnding): number {
    const at = this.#now();
    this.store.end(arn, ending, at);
    void this.#runs.get(arn)?.halt();
    return at;
  }

  /** Starts no further state and waits for running functions. Unfinished executions resume at the next start. */
  async drain(): Promise<void> {
    this.#invoke = undefined;
    await Promise.all([...this.#runs.values()].map((run) => run.halt()));
  }

  #run(execution: Execution): void {
    if (!this.#invoke) return;
    const machine = this.#machines.get(execution.machineArn);
    if (!machine) {
      const cause = 'The template no longer declares this state machine';
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
