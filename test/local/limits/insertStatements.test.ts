import { expect, it } from 'vitest';
import { insertsOf, tablesOfStatements } from '../../../local/limits/insertStatements.ts';

const insert = (table: string, names: readonly string[], values: readonly string[]) => ({
  Statement: `INSERT INTO "${table}" VALUE {${names.map((name) => `'${name}': ?`).join(', ')}}`,
  Parameters: values.map((S) => ({ S })),
});

const call = {
  Statements: [
    insert('ledger', ['pk', 'sk'], ['a', '1']),
    insert('ledger', ['pk', 'sk'], ['b', '2']),
    insert('ledger', ['sk', 'pk'], ['3', 'c']),
    insert('claims', ['pk'], ['d']),
  ],
};

it('names each table of a call once', () => {
  expect(tablesOfStatements(call)).toEqual(['ledger', 'claims']);
});

it('reads the key from the parameters of each statement, also of one that is repeated', () => {
  const keys = new Map([
    ['ledger', 'pk'],
    ['claims', 'pk'],
  ]);

  for (let repetition = 0; repetition < 2; repetition += 1) {
    expect(insertsOf(call, keys).map(({ table, key }) => `${table} ${key}`)).toEqual([
      'ledger a',
      'ledger b',
      'ledger c',
      'claims d',
    ]);
  }
});

it('refuses every other statement each time', () => {
  const update = { Statements: [{ Statement: `UPDATE "ledger" SET a = 1 WHERE pk = 'a'` }] };

  for (let repetition = 0; repetition < 2; repetition += 1) {
    expect(() => tablesOfStatements(update)).toThrow('not known');
  }
});
