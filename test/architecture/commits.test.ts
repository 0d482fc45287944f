import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const SUBJECT =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9./-]+\))?!?: \S.{7,}$/;

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** The rule holds from the commit that introduced this file on. A commit that is still to be made has none. */
const firstCommit = git('log', '--diff-filter=A', '--format=%H', '--', 'test/architecture/commits.test.ts');
const subjects =
  firstCommit === '' ? [] : git('log', '--no-merges', '--format=%s', `${firstCommit}..HEAD`).split('\n');

it('has Conventional Commits only', () => {
  expect(subjects.filter((subject) => subject !== '' && !SUBJECT.test(subject))).toEqual([]);
});

it.each([
  ['fix(webhooks): retry single puts when the write is ambiguous', true],
  ['feat!: require a scope for every event type', true],
  ['Put alone only what may take itself for somebody else’s', false],
  ['fix: typo', false],
  ['fixed(webhooks): retry single puts', false],
])('checks the subject %j', (subject, isValid) => {
  expect(SUBJECT.test(subject)).toBe(isValid);
});
