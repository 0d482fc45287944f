import { expect, it } from 'vitest';
import { contextOf, deployCommands } from '../../../tools/deploy/firstDeployment.ts';

it.each([undefined, 'REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED'])(
  'creates a stack in the state %s without protection first, so that the creation can be repeated',
  (status) => {
    expect(deployCommands(status, ['-c', 'alarmEmail=a@example.org'])).toEqual([
      ['deploy', '--all', '-c', 'alarmEmail=a@example.org', '--context', 'protection=false'],
      ['deploy', '--all', '-c', 'alarmEmail=a@example.org'],
    ]);
  },
);

it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'])(
  'never removes the protection of a stack in the state %s',
  (status) => {
    expect(deployCommands(status, [])).toEqual([['deploy', '--all']]);
  },
);

it('finds a setting in both notations of the CDK command', () => {
  const args = [
    '-c',
    'environment=production',
    '--context=environment=sandbox',
    '-c',
    'alarmEmail=a@example.org',
  ];

  expect(contextOf(args, 'environment')).toBe('sandbox');
  expect(contextOf(['--context', 'environment=sandbox'], 'environment')).toBe('sandbox');
  expect(contextOf([], 'environment')).toBeUndefined();
});
