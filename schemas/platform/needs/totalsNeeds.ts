/** What functions need that sum calls, and that read the sums. */
export const totalsNeeds = {
  'rollups.read': { table: 'rollups', actions: ['dynamodb:Query'] },
  'rollups.groups': { table: 'rollups', actions: ['dynamodb:Query'] },
  'nodeHours.read': { table: 'rollups', actions: ['dynamodb:Query'] },
  'nodeHours.write': { table: 'rollups', actions: ['dynamodb:PutItem'] },
  'rollups.write': {
    table: 'rollups',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'closings.read': { table: 'rollups', actions: ['dynamodb:GetItem'] },
  'closings.write': { table: 'rollups', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'periods.read': { table: 'rollups', actions: ['dynamodb:Query'] },
  'periods.copy': {
    table: 'rollups',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'rollups.mark': { queue: 'rollups', actions: ['sqs:SendMessage'] },
  'rollups.check': { queue: 'rollups', actions: ['sqs:SendMessage'] },
  'marks.add': { table: 'counters', actions: ['dynamodb:PutItem'] },
  'marks.complete': {
    table: 'counters',
    actions: [
      'dynamodb:BatchGetItem',
      'dynamodb:DeleteItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ],
  },
  // The progress of calls and the pending marks.
  'totals.complete': { table: 'counters', actions: ['dynamodb:Query'] },
  'marks.list': { table: 'counters', actions: ['dynamodb:Query'] },
} as const;
