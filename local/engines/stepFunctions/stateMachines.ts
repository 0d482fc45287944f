import type { StateMachineDeclaration } from '../../template/stateMachines.ts';
import { serveAwsJson } from '../awsJson.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';
import { Executions } from './stateMachineExecutions.ts';
import { operationsOn } from './stateMachineOperations.ts';
import type { Machine } from './stateMachineRun.ts';
import { openExecutions } from './stateMachineStore.ts';
import type { InvokeByArn } from './stateMachineTask.ts';

export interface StateMachinesEngine extends Engine {
  /** How many executions run. */
  readonly running: number;
  /**
   * Takes the machines, and goes on with the executions that ran when the last process ended.
   * Throws a TemplateError where a definition is none.
   */
  serve(declarations: StateMachineDeclaration[], invoke: InvokeByArn): Promise<void>;
  /** Starts an execution as a rule or a schedule does. */
  start(machineArn: string, input: string): void;
  /** Lets no further state begin and waits for the functions called. */
  drain(): Promise<void>;
}

/** Starts Step Functions; its executions are kept in the data directory. */
export async function startStateMachines(data: DataDirectory): Promise<StateMachinesEngine> {
  const store = openExecutions(data.join('executions.db'), Date.now());
  const executions = new Executions(store, Date.now);
  const operations = operationsOn(executions);
  const server = await serveAwsJson(operations, { version: '1.0', internalErrorName: 'InternalFailure' });
  return {
    url: server.url,
    get running() {
      return executions.running;
    },
    async serve(declarations, invoke) {
      executions.serve(declarations.length === 0 ? [] : await machinesOf(declarations), invoke);
    },
    start: (stateMachineArn, input) => {
      operations['StartExecution']?.({ stateMachineArn, input });
    },
    drain: () => executions.drain(),
    async stop() {
      await executions.drain();
      await server.stop();
      store.close();
    },
  };
}

/** The interpreter takes a while to load, which a stack without a machine need not wait for. */
async function machinesOf(declarations: StateMachineDeclaration[]): Promise<Machine[]> {
  const { prepareMachine: prepare } = await import('./stateMachineRun.ts');
  return declarations.map(prepare);
}
