import type { AwsCallCounts, KeyUnits, Usage } from './protocol.ts';

export interface FunctionUsage extends Omit<Usage, 'keys'> {
  invocations: number;
}

/** Sums the usage reports of the environments, for the benchmark. */
export class Meter {
  readonly #functions = new Map<string, FunctionUsage>();
  readonly #keys: KeyUnits = {};
  readonly metersKeys: boolean;

  constructor(metersKeys = false) {
    this.metersKeys = metersKeys;
  }

  add(logicalId: string, { calls, cpuMicros, activeMicros, keys = {} }: Usage): void {
    const total = this.#functions.get(logicalId) ?? {
      calls: {},
      cpuMicros: 0,
      activeMicros: 0,
      invocations: 0,
    };
    total.invocations += 1;
    total.cpuMicros += cpuMicros;
    total.activeMicros += activeMicros;
    addCalls(total.calls, calls);
    for (const [key, units] of Object.entries(keys)) this.#keys[key] = (this.#keys[key] ?? 0) + units;
    this.#functions.set(logicalId, total);
  }

  /** AWS calls and consumed capacity over all functions, by "service operation". */
  calls(): AwsCallCounts {
    const all: AwsCallCounts = {};
    for (const { calls } of this.#functions.values()) addCalls(all, calls);
    return all;
  }

  /** Capacity units by access, table and partition key, over all functions. Empty if keys are not metered. */
  keyUnits(): KeyUnits {
    return { ...this.#keys };
  }

  /** Usage by function, with invocations and CPU time. */
  functions(): Record<string, FunctionUsage> {
    return structuredClone(Object.fromEntries(this.#functions));
  }
}

function addCalls(into: AwsCallCounts, calls: AwsCallCounts): void {
  for (const [name, { calls: count, capacity }] of Object.entries(calls)) {
    const total = into[name] ?? { calls: 0, capacity: 0 };
    into[name] = { calls: total.calls + count, capacity: total.capacity + capacity };
  }
}
