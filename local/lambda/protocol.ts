import type { SharedLimits } from '../limits/limitState.ts';
import type { Role, UsedPermission } from '../permissions/authorizeCalls.ts';

/** What AWS would enforce on the calls of a function. */
export interface CallRules {
  /** Undefined if nobody evaluates permissions, for example of a function without a stack. */
  readonly role: Role | undefined;
  /** Undefined if the tables are at an external endpoint, which has its own limits. */
  readonly limits: SharedLimits | undefined;
}

/** Settings of an execution environment, passed at its start. */
export interface EnvironmentSettings {
  file: string;
  exportName: string;
  functionName: string;
  functionArn: string;
  memoryMiB: number;
  /** Whether AWS calls and CPU time are counted and sent with every result. */
  metered: boolean;
  /** Whether capacity units are also counted by partition key. Only with limits, which know the keys of each call. */
  metersKeys: boolean;
  rules: CallRules;
  /** Whether other functions go first when the cores are busy. */
  yields: boolean;
}

export interface InvokeMessage {
  requestId: string;
  /** JSON, as in Lambda. The handler must not share objects with the caller. */
  event: string;
  /** Epoch milliseconds at which the invocation times out. */
  deadline: number;
}

export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

/** Counts by "service operation". Capacity is in DynamoDB units. */
export type AwsCallCounts = Record<string, { calls: number; capacity: number }>;

/** Capacity units by "write" or "read", table and partition key, separated by spaces. */
export type KeyUnits = Record<string, number>;

export interface Usage {
  calls: AwsCallCounts;
  keys?: KeyUnits;
  /**
   * CPU time of the thread during the invocation, in microseconds. Kernels count it in ticks of some milliseconds. The sum
   * over many invocations is accurate under any load, but a single short invocation may count as 0.
   */
  cpuMicros: number;
  /**
   * Time in which the event loop was active, in microseconds. Exact even for short invocations. On a busy machine it
   * includes the time that other processes used.
   */
  activeMicros: number;
}

export type EnvironmentMessage =
  | { type: 'ready' }
  | { type: 'permission'; used: UsedPermission }
  | { type: 'failed'; error: FunctionError }
  | { type: 'result'; payload: string; usage?: Usage }
  | { type: 'error'; error: FunctionError; usage?: Usage };
