import { describe, expect, it } from 'vitest';
import { poolFinder, rateAt } from '../../../functions/impact/price/nodePools.ts';
import { NodePools } from '../../../schemas/attribution/nodePools.ts';

const AT = Date.parse('2026-11-20T10:30:00Z');
const rate = { from: '2026-11-01T00:00:00Z', node_hour_usd: '2', nodes: 1 };
const poolOf = (name: string, serves: readonly object[], rates: readonly object[] = [rate]) => ({
  ...{ name, serves, rates },
});
const call = (members: Record<string, string> = {}) => ({
  ...{ provider: 'vllm', requested_model: 'meta-llama/Llama-3.3-70B-Instruct' },
  ...members,
});

describe('the pool of a call', () => {
  const find = poolFinder(
    NodePools.parse([
      poolOf('all', [{ provider: 'vllm', model: 'meta-llama/*' }]),
      poolOf('large', [
        { provider: 'vllm', model: 'meta-llama/llama-3.3-70b*' },
        { provider: 'openai', model: 'qwen3-32b', region: 'eu-central-1' },
      ]),
      poolOf(
        'ended',
        [{ provider: 'vllm', model: 'mistral-7b' }],
        [rate, { ...rate, from: '2026-11-20T00:00:00Z', nodes: 0 }],
      ),
    ]),
  );

  it.each([
    ['with the longest prefix', call(), 'large'],
    ['with a shorter prefix', call({ requested_model: 'meta-llama/Llama-3.1-8B' }), 'all'],
    [
      'of the served model',
      call({ requested_model: 'x', served_model: 'meta-llama/llama-3.3-70b-fp8' }),
      'large',
    ],
    [
      'in its region',
      call({ provider: 'OpenAI', requested_model: 'qwen3-32b', region: 'eu-central-1' }),
      'large',
    ],
    [
      'none in another region',
      call({ provider: 'openai', requested_model: 'qwen3-32b', region: 'us-east-1' }),
      null,
    ],
    ['none of another provider', call({ provider: 'sglang' }), null],
    ['none with a part of the id', call({ provider: 'vllm', requested_model: 'mistral-7b-v2' }), null],
    ['none that has ended', call({ requested_model: 'mistral-7b' }), null],
  ])('is the one %s', (_, made, name) => {
    expect(find(made, AT)?.name ?? null).toBe(name);
  });

  it.each([
    ['that names the host, whatever client made the call', 'VLLM.internal.', 'by host'],
    ['that names no host, if the host is another', 'other.internal', 'by model'],
    ['that names no host, if the host is not known', undefined, 'by model'],
  ])('is the one %s', (_, server_address, name) => {
    const findByHost = poolFinder(
      NodePools.parse([
        poolOf('by model', [{ provider: 'openai', model: 'qwen3-32b' }]),
        poolOf('by host', [{ provider: 'openai', model: 'qwen*', host: 'vllm.internal' }]),
      ]),
    );
    const made = { provider: 'openai', requested_model: 'qwen3-32b', server_address };

    expect(findByHost(made, AT)?.name).toBe(name);
  });

  it('begins and ends with an hour of its rates', () => {
    const ended = call({ requested_model: 'mistral-7b' });

    expect(find(ended, Date.parse('2026-11-19T23:59:59.999Z'))?.name).toBe('ended');
    expect(find(ended, Date.parse('2026-10-31T23:59:59.999Z'))).toBeNull();
  });
});

it('costs all nodes of the newest rate that has begun, in whatever order rates are stated', () => {
  const later = { from: '2026-11-20T10:00:00Z', node_hour_usd: '1.5', nodes: 3 };
  const [pool] = NodePools.parse([poolOf('gpu', [{ provider: 'vllm', model: '*' }], [later, rate])]);
  if (pool === undefined) throw new Error('there is a pool');

  expect(rateAt(pool, AT)).toEqual({ nodes: 3, cost: 4_500_000_000_000n, energy: null });
  expect(rateAt(pool, Date.parse('2026-11-20T09:00:00Z'))).toEqual({
    nodes: 1,
    cost: 2_000_000_000_000n,
    energy: null,
  });
});

it.each([
  [
    'a rate that begins within an hour',
    poolOf('a', [{ provider: 'p', model: 'm' }], [{ ...rate, from: '2026-11-01T00:30:00Z' }]),
    ['0', 'rates', '0', 'from'],
  ],
  [
    'two rates from one instant',
    poolOf('a', [{ provider: 'p', model: 'm' }], [rate, { ...rate, from: '2026-11-01T01:00:00+01:00' }]),
    ['0', 'rates'],
  ],
  [
    'a price that is a number',
    poolOf('a', [{ provider: 'p', model: 'm' }], [{ ...rate, node_hour_usd: 2 }]),
    ['0', 'rates', '0', 'node_hour_usd'],
  ],
  [
    'a price beyond all nodes',
    poolOf('a', [{ provider: 'p', model: 'm' }], [{ ...rate, node_hour_usd: '100000.01' }]),
    ['0', 'rates', '0', 'node_hour_usd'],
  ],
  ['a pool that serves nothing', poolOf('a', []), ['0', 'serves']],
])('refuses %s, and says where it is', (_, pool, path) => {
  expect(NodePools.safeParse([pool]).error?.issues.map((issue) => issue.path.map(String))).toEqual([path]);
});

it('refuses two pools of one name', () => {
  const pool = poolOf('a', [{ provider: 'p', model: 'm' }]);

  expect(NodePools.safeParse([pool, pool]).success).toBe(false);
});
