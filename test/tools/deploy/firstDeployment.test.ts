import { expect, it } from 'vitest';
import { deployCommands } from '../../../tools/deploy/firstDeployment.ts';

const DATA = 'inference-attribution-production-data';

it.each([undefined, 'REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED'])(
  'creates a stack of data in the state %s alone and without protection first, so that the creation can be repeated',
  (status) => {
    expect(deployCommands(DATA, status, ['-c', 'alarmEmail=a@example.org'])).toEqual([
      ['deploy', DATA, '-c', 'alarmEmail=a@example.org', '--context', 'protection=false'],
      ['deploy', '--all', '-c', 'alarmEmail=a@example.org'],
    ]);
  },
);

it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'])(
  'never removes the protection of a stack in the state %s',
  (status) => {
    expect(deployCommands(DATA, status, [])).toEqual([['deploy', '--all']]);
  },
);
