import { expect, it } from 'vitest';
import { CALL, eventOf } from './spanEvents.ts';

const FREE = { estimated_cost_usd: '0', cost_source: 'provider' };

it.each<[string, Record<string, string | boolean>, Record<string, unknown>]>([
  ['the cache of a gateway', { cache_status: 'HIT' }, FREE],
  ['a cache of similar prompts', { cache_status: 'SEMANTIC HIT' }, FREE],
  ['the cache of a client', { 'gen_ai.response.cache_hit': true }, FREE],
  ['the cache of promptfoo', { 'promptfoo.cache_hit': true }, FREE],
])('an answer of %s costs nothing', (_, attributes, expected) => {
  expect(eventOf({ ...CALL, ...attributes })).toMatchObject([expected]);
});

it.each<Record<string, string | boolean>>([
  { cache_status: 'MISS' },
  { 'promptfoo.cache_hit': false },
  // The cache of prompts at the provider has a price.
  { 'llm.cache.hit': true },
])('%o says nothing of a cache of answers', (attributes) => {
  expect(eventOf({ ...CALL, ...attributes })[0]).not.toHaveProperty('estimated_cost_usd');
});
