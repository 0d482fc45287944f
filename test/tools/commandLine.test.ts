import { expect, it } from 'vitest';
import { parseCommandLine, UsageError } from '../../tools/commandLine.ts';

const options = { at: { type: 'string' }, label: { type: 'string', multiple: true } } as const;

it('refuses a repeated option that takes one value, and an unknown one', () => {
  expect(() => parseCommandLine(['--at', '1', '--at=2'], options)).toThrow(UsageError);
  expect(() => parseCommandLine(['--from', '1'], options)).toThrow(UsageError);
});

it('keeps all values of an option that takes several', () => {
  const { values, positionals } = parseCommandLine(
    ['a', '--label', 'x', '--label', 'y', '--at', '1'],
    options,
  );

  expect(values).toMatchObject({ at: '1', label: ['x', 'y'] });
  expect(positionals).toEqual(['a']);
});
