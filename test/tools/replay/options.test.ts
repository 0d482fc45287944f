import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../tools/commandLine.ts';
import { readOptions } from '../../../tools/replay/options.ts';

describe('readOptions', () => {
  it('requires only a file', () => {
    expect(readOptions(['trace.csv'])).toMatchObject({
      file: 'trace.csv',
      dataDir: '.local',
      speed: 'max',
      json: false,
    });
  });

  it('accepts every option', () => {
    const options = readOptions(
      'f --base-url http://h:1 --api-key k --speed 2.5 --anchor 2026-03-01T00:00:00+01:00 --provider p --model m --service s --identity i --limit 7 --data-dir d --json'.split(
        ' ',
      ),
    );

    expect(options).toEqual({
      file: 'f',
      baseUrl: 'http://h:1',
      apiKey: 'k',
      dataDir: 'd',
      speed: 2.5,
      anchor: Date.parse('2026-02-28T23:00:00Z'),
      limit: 7,
      provider: 'p',
      model: 'm',
      service: 's',
      identity: 'i',
      json: true,
    });
  });

  it('returns "help" for --help', () => {
    expect(readOptions(['--help'])).toBe('help');
  });

  it.each([
    [[], 'Name the file'],
    [['a', 'b'], 'Only one file'],
    [['a', '--speed', '0'], '--speed'],
    [['a', '--speed', 'fast'], '--speed'],
    [['a', '--anchor', 'noon'], '--anchor'],
    [['a', '--limit', '-3'], '--limit'],
    [['a', '--limit', '0'], '--limit'],
    [['a', '--base-url', 'ftp://h'], '--base-url'],
    [['a', '--sped', '3'], '--sped'],
  ])('throws UsageError for %j', (args, text) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(text);
  });
});
