import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventIdOfCall } from '../../functions/ingest/formats/observedCall.ts';

it('the guide derives the event id that the service gives to a call in a log', () => {
  const guide = readFileSync('docs/guides/call-logs.md', 'utf8');
  const source = /```js\nimport .+\n\nconst eventIdOf = (.+?);\n```/s.exec(guide)?.[1];
  const eventIdOf = new Function('createHash', `return ${source}`)(createHash);

  for (const id of ['chatcmpl-BkQ0sV7uZxq3nH2mYwTtR4aL', `resp_${'x'.repeat(300)}`])
    expect(eventIdOf(id)).toBe(eventIdOfCall(id));
});
