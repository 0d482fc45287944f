import type { FunctionUsage } from '../../local/lambda/meter.ts';

/** Usage by logical id of the function, counted at the SDK by the runtime. */
export type UsageByFunction = Readonly<Record<string, FunctionUsage>>;

/** Usage between two readings of the counters. */
export const subtractUsage = (
  before: UsageByFunction,
  after: UsageByFunction,
): Record<string, FunctionUsage> =>
  Object.fromEntries(
    Object.entries(after).map(([name, now]) => {
      const previous = before[name];
      const calls = Object.entries(now.calls).map(([operation, { calls: count, capacity }]) => [
        operation,
        {
          calls: count - (previous?.calls[operation]?.calls ?? 0),
          capacity: capacity - (previous?.calls[operation]?.capacity ?? 0),
        },
      ]);
      return [
        name,
        {
          invocations: now.invocations - (previous?.invocations ?? 0),
          cpuMicros: now.cpuMicros - (previous?.cpuMicros ?? 0),
          activeMicros: now.activeMicros - (previous?.activeMicros ?? 0),
          calls: Object.fromEntries(calls),
        },
      ];
    }),
  );

/** Usage of the functions whose logical ids match the pattern. */
export const filterUsage = (usage: UsageByFunction, functions: RegExp): UsageByFunction =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => functions.test(name)));

/** Sum of calls or capacity units over the operations that match the pattern. */
export const sumOf = (
  usage: UsageByFunction,
  operations: RegExp,
  quantity: 'calls' | 'capacity' = 'calls',
): number =>
  Object.values(usage)
    .flatMap(({ calls }) => Object.entries(calls))
    .filter(([operation]) => operations.test(operation))
    .reduce((sum, [, counted]) => sum + counted[quantity], 0);

/** Total invocations and CPU seconds of all functions. */
export const totalWork = (
  usage: UsageByFunction,
): { readonly invocations: number; readonly cpuSeconds: number } => ({
  invocations: Object.values(usage).reduce((sum, { invocations }) => sum + invocations, 0),
  cpuSeconds: Object.values(usage).reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / 1e6,
});

/** Table rows: AWS calls and capacity units per event or page, by function and operation. */
export const callRows = (usage: UsageByFunction, count: number) =>
  Object.entries(usage).flatMap(([name, { calls }]) =>
    Object.entries(calls)
      .filter(([, counted]) => counted.calls > 0)
      .map(([operation, counted]) => ({
        function: name.replace(/Function[0-9A-F]{8}$/, ''),
        operation: operation.replace(/Command$/, ''),
        calls: Number((counted.calls / count).toFixed(4)),
        units: Number((counted.capacity / count).toFixed(4)),
      })),
  );
