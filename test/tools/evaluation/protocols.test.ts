import { describe, expect, it } from 'vitest';
import { companyTrace } from '../../../tools/accuracy/company.ts';
import { applyProtocol, PROTOCOLS } from '../../../tools/evaluation/protocols.ts';

const calls = companyTrace(4_000, 1);

const apply = (name: string, seed = 3) => {
  const protocol = PROTOCOLS.find((one) => one.name === name);
  if (protocol === undefined) throw new Error(name);
  return applyProtocol(protocol, calls, seed);
};

const share = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number =>
  items.filter(holds).length / items.length;

it('makes the same calls from the same seed, and others from another', () => {
  expect(companyTrace(4_000, 1)).toEqual(calls);
  expect(companyTrace(4_000, 2)).not.toEqual(calls);
  for (const { name } of PROTOCOLS) {
    expect(apply(name)).toEqual(apply(name));
    expect(apply(name)).not.toEqual(apply(name, 4));
  }
});

it.each(PROTOCOLS.map(({ name }) => name))('keeps the order in time under %s, and adds no call', (name) => {
  const applied = apply(name);

  const times = applied.map(({ observation }) => observation.occurredAt);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const truths = new Set(calls.map(({ truth }) => truth));
  expect(applied.every(({ truth }) => truths.has(truth))).toBe(true);
});

it.each([
  ['half', 0.5],
  ['tenth', 0.1],
])('labels a share of all calls at random under %s', (name, rate) => {
  expect(share(apply(name), ({ isLabelled }) => isLabelled)).toBeCloseTo(rate, 1);
  expect(apply(name).some(({ isSilent }) => isSilent)).toBe(false);
});

describe('whole services without labels', () => {
  it.each(['whole', 'whole-mostly', 'whole-half', 'whole-key-4'])('never label under %s', (name) => {
    const silent = apply(name).filter(({ isSilent }) => isSilent);

    expect(new Set(silent.map(({ truth }) => truth)).size).toBeGreaterThan(5);
    expect(silent.some(({ isLabelled }) => isLabelled)).toBe(false);
  });

  it('leave no call of another service open under whole', () => {
    expect(apply('whole').every(({ isLabelled, isSilent }) => isLabelled !== isSilent)).toBe(true);
  });
});

it.each([1, 2, 4, 8])('gives each key to at most %d services', (services) => {
  const owners = Map.groupBy(apply(`key-${services}`), ({ observation }) => observation.api_key_name);

  const sizes = [...owners.values()].map((own) => new Set(own.map(({ truth }) => truth)).size);
  expect(Math.max(...sizes)).toBe(services);
});

it('marks calls of which another call of the trace names the owner', () => {
  const traced = apply('traces').filter(({ tracedOwner }) => tracedOwner !== null);

  expect(share(apply('traces'), ({ tracedOwner }) => tracedOwner !== null)).toBeGreaterThan(0.1);
  expect(traced.some(({ isLabelled }) => !isLabelled)).toBe(true);
});

it('puts calls of other services into traces under traces-mixed', () => {
  const wrong = apply('traces-mixed').filter(
    ({ truth, tracedOwner }) => tracedOwner !== null && tracedOwner !== truth,
  );

  expect(wrong.length).toBeGreaterThan(0);
  expect(
    apply('traces').every(({ truth, tracedOwner }) => tracedOwner === null || tracedOwner === truth),
  ).toBe(true);
});

it('changes sizes by at most 3 % and three tokens under jitter', () => {
  const jittered = apply('jitter');

  jittered.forEach(({ observation }, at) => {
    const before = calls[at]?.observation.input_tokens ?? 0;
    expect(Math.abs((observation.input_tokens ?? 0) - before)).toBeLessThanOrEqual(0.03 * before + 4);
  });
  expect(share(jittered, ({ observation }) => observation.input_tokens === 0)).toBeLessThan(0.05);
});

it('lets each service live for half of the time under lifetimes', () => {
  const day = 24 * 60 * 60 * 1_000;
  for (const own of Map.groupBy(apply('lifetimes'), ({ truth }) => truth).values()) {
    const [first, last] = [own[0]?.observation.occurredAt ?? 0, own.at(-1)?.observation.occurredAt ?? 0];
    expect(last - first).toBeLessThanOrEqual(day / 2);
  }
});
