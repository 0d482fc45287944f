import type { FunctionUsage } from '../local/lambda/meter.ts';

/** Usage by function, as the runtime counts it at the SDK. */
export type UsageByFunction = Readonly<Record<string, FunctionUsage>>;

/** What happened between two counts. */
export const subtractUsage = (
  before: UsageByFunction,
  after: UsageByFunction,
): Record<string, FunctionUsage> =>
  Object.fromEntries(
    Object.entries(after).map(([name, now]) => {
      const then = before[name];
      const calls = Object.entries(now.calls).map(([operation, { calls: count, capacity }]) => [
        operation,
        {
          calls: count - (then?.calls[operation]?.calls ?? 0),
          capacity: capacity - (then?.calls[operation]?.capacity ?? 0),
        },
      ]);
      return [
        name,
        {
          invocations: now.invocations - (then?.invocations ?? 0),
          cpuMicros: now.cpuMicros - (then?.cpuMicros ?? 0),
          activeMicros: now.activeMicros - (then?.activeMicros ?? 0),
          calls: Object.fromEntries(calls),
        },
      ];
    }),
  );

/** Usage of the functions whose logical ids match. */
export const filterUsage = (usage: UsageByFunction, functions: RegExp): UsageByFunction =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => functions.test(name)));

/** Sums calls or capacity units over the operations that match. */
export const sumOf = (
  usage: UsageByFunction,
  operations: RegExp,
  quantity: 'calls' | 'capacity' = 'calls',
): number =>
  Object.values(usage)
    .flatMap(({ calls }) => Object.entries(calls))
    .filter(([operation]) => operations.test(operation))
    .reduce((sum, [, counted]) => sum + counted[quantity], 0);

/** Invocations and CPU seconds over all functions of a usage. */
export const totalWork = (
  usage: UsageByFunction,
): { readonly invocations: number; readonly cpuSeconds: number } => ({
  invocations: Object.values(usage).reduce((sum, { invocations }) => sum + invocations, 0),
  cpuSeconds: Object.values(usage).reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / 1e6,
});

/** AWS calls and capacity units for one event or page, by function and operation, for people to read. */
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
