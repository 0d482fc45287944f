import { expect, it } from 'vitest';
import { CALL, eventOf } from './spanEvents.ts';

const JS = '@traceloop/instrumentation-openai';

it.each([
  [
    'a chat, which can be a stream',
    JS,
    { 'gen_ai.response.id': 'chatcmpl-1alxrb3ze070rbvh1qnyg8p0' },
    ['stream'],
  ],
  ['a chat of older versions', JS, { 'gen_ai.operation.name': '', 'llm.request.type': 'chat' }, ['stream']],
  [
    'a response, which states its usage',
    JS,
    { 'gen_ai.response.id': 'resp_qh4zecflc500l01v2j74wj90' },
    undefined,
  ],
  ['an embedding', JS, { 'gen_ai.operation.name': 'embeddings' }, undefined],
  [
    'a chat in Python, which reads what the stream states',
    'opentelemetry.instrumentation.openai',
    {},
    undefined,
  ],
])('OpenLLMetry for JavaScript may count only the text of %s', (_, scope, members, unread) => {
  const [event] = eventOf({ ...CALL, ...members }, {}, {}, scope);

  expect(event).toMatchObject({ input_tokens: 120 });
  expect(event?.['unread_usage']).toEqual(unread);
});
