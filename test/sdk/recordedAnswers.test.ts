import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { usageReader } from '../../sdk/typescript/tracker/usage.ts';

interface RecordedAnswer {
  readonly name: string;
  readonly events: readonly object[];
  readonly expect: Readonly<Record<string, unknown>>;
  readonly absent: readonly string[];
}

/** Usage in answers that SDKs have recorded. The Python package reads the same ones. */
const answers: readonly RecordedAnswer[] = JSON.parse(
  readFileSync('sdk/python/tests/recorded_answers.json', 'utf8'),
);

const read = (events: readonly object[], isStream: boolean) => {
  const reader = usageReader(isStream);
  const text = events.map((event) => JSON.stringify(event));
  reader.feed(Buffer.from(isStream ? text.map((line) => `data: ${line}\n\n`).join('') : (text[0] ?? '')));
  return reader.finish() ?? {};
};

it.each(answers)(
  'an answer has what it used and what that costs: $name',
  ({ events, expect: expected, absent }) => {
    for (const isStream of events.length === 1 ? [false, true] : [true]) {
      const members = read(events, isStream);

      expect(members).toMatchObject(expected);
      for (const name of absent) expect(members).not.toHaveProperty(name);
    }
  },
);
