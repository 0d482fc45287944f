import { expect, it } from 'vitest';
import { documentedOutputs, marked, outputFaults, readMarked } from './documentedOutput.ts';

it.each([
  ['other figures', { cost_usd: '0.006', calls: 3 }, { cost_usd: '12', calls: 4 }, []],
  ['an unknown value', { cost_usd: '0.006' }, { cost_usd: null }, []],
  ['other ids', { id: 'att_1', owner: 'team-a' }, { id: 'att_2', owner: 'bob' }, []],
  ['a missing member', { a: 1, b: 2 }, { a: 1 }, ['/b is missing']],
  ['another member', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, ['/a/c is not documented']],
  ['a member that is left out', { a: 1, '…': '…' }, { a: 1, b: 2 }, []],
  ['a number that is a text', { cost: 1 }, { cost: '1' }, ['/cost is documented as number and is amount']],
  ['a name that is an amount', ['x'], ['1.5'], ['/0 is documented as text and is amount']],
  [
    'a day that is an instant',
    '2026-11-01',
    '2026-11-01T00:00:00Z',
    ['/ is documented as day and is instant'],
  ],
  ['an entry of a list', [{ a: 1 }], [{ b: 1 }], ['/0/a is missing', '/0/b is not documented']],
])('finds %s', (_, documented, printed, faults) => {
  expect(outputFaults(documented, printed)).toEqual(faults);
});

it('reads the members that the first sentence after commands names', () => {
  const page = (sentence: string) => documentedOutputs(`\`\`\`sh\necho 1\n\`\`\`\n\n${sentence}\n`);

  expect([...page('The answer has `a_b` and\n`c`. Not `d`.').values()]).toEqual([
    { a_b: null, c: null, '…': '…' },
  ]);
  expect([...page('The command prints `a`.').values()]).toEqual([]);
});

it('reads the last line of each marked block', () => {
  const [commands] = documentedOutputs(
    '```sh\necho 0\n```\n\nText\n\n```sh\necho 1\n```\n\n```json\n{ "a": 1 }\n```\n',
  ).keys();

  expect(commands).toBe('echo 1\n');
  expect(marked('echo 1')).toContain('echo 1');
  expect(readMarked('x\u001E1\n{"a":2}\n\u001Ey\u001E3\n\u001E')).toEqual({
    text: 'x1\n{"a":2}\ny3\n',
    last: ['{"a":2}', '3'],
  });
});
