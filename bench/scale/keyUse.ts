import type { KeyUnits } from '../../local/lambda/protocol.ts';

/** Units of one kind of partition key. */
export interface KeyUse {
  /** Table and shape of the key, for example `ledger <tenant>#directory`. */
  readonly kind: string;
  readonly access: string;
  /** Number of keys of this kind in the run. */
  readonly keys: number;
  /** Units of the busiest key of this kind, by event. */
  readonly unitsPerEvent: number;
  /** Each key of this kind takes a part of the events, and the parts do not grow with the rate. */
  readonly isSpread: boolean;
}

/** Counters between two readings. */
export const subtractKeyUnits = (before: KeyUnits, after: KeyUnits): KeyUnits =>
  Object.fromEntries(
    Object.entries(after).flatMap(([key, units]) => {
      const rest = units - (before[key] ?? 0);
      return rest > 0 ? [[key, rest]] : [];
    }),
  );

const OF_LEDGER_SHARD = /^ledger [^#]+#<month>#\d+$/;

/** The shape of a key: ids, times and random parts are replaced, so that keys of one kind are alike. */
export const kindOf = (table: string, key: string): string =>
  `${table} ${key}`
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, '<id>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
    .replace(/\b[\w-]{20,}={0,2}/g, '<id>')
    .replace(/\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?\b/g, '<day>')
    .replace(/\b\d{4}-\d{2}\b/g, '<month>')
    .replace(/\b\d{6,}\b/g, '<time>');

/** Units by kind of key, busiest first. `outputs` are those of the stack: they name the tables. */
export const keyUseOf = (
  units: KeyUnits,
  outputs: Readonly<Record<string, string>>,
  events: number,
): KeyUse[] => {
  const tableOf = new Map(
    Object.entries(outputs)
      .filter(([name]) => name.startsWith('Table'))
      .map(([name, table]) => [table, name.slice('Table'.length).toLowerCase()]),
  );
  const parsed = Object.entries(units).map(([name, consumed]) => {
    const [access = '', table = '', ...key] = name.split(' ');
    return { access, kind: kindOf(tableOf.get(table) ?? table, key.join(' ')), consumed };
  });
  return [...Map.groupBy(parsed, ({ access, kind }) => `${access} ${kind}`).values()]
    .map((group): KeyUse => {
      const [{ access, kind } = { access: '', kind: '' }] = group;
      return {
        kind,
        access,
        keys: group.length,
        unitsPerEvent: Math.max(...group.map(({ consumed }) => consumed)) / events,
        isSpread: kind.includes('<id>') || OF_LEDGER_SHARD.test(kind),
      };
    })
    .toSorted((one, other) => other.unitsPerEvent - one.unitsPerEvent);
};
