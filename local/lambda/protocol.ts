/** What the runtime hands an execution environment when it starts it. */
export interface EnvironmentSettings {
  file: string;
  exportName: string;
  functionName: string;
  functionArn: string;
  memoryMiB: number;
  /** Whether AWS calls and CPU time are counted and sent with every result. */
  metered: boolean;
}

export interface InvokeMessage {
  requestId: string;
  /** JSON, as Lambda hands it over: the handler must not see objects of the caller's. */
  event: string;
  /** Epoch milliseconds at which the invocation is cut off. */
  deadline: number;
}

export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

/** Counts by "service operation". Capacity is in DynamoDB units. */
export type AwsCallCounts = Record<string, { calls: number; capacity: number }>;

export interface Usage {
  calls: AwsCallCounts;
  /**
   * CPU time of the thread during the invocation, microseconds. Kernels count it in ticks of some milliseconds: right
   * over many invocations, whatever else runs, and nothing for a single short one.
   */
  cpuMicros: number;
  /** Time the event loop was not waiting, microseconds: exact however short, but on a busy machine it holds what others took. */
  activeMicros: number;
}

export type EnvironmentMessage =
  | { type: 'ready' }
  | { type: 'failed'; error: FunctionError }
  | { type: 'result'; payload: string; usage?: Usage }
  | { type: 'error'; error: FunctionError; usage?: Usage };
