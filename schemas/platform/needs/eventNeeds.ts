/** What functions need that raise events, publish them, and deliver them to webhooks and persons. */
export const eventNeeds = {
  'deliveries.append': {
    table: 'deliveries',
    actions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'deliveries.attempt': {
    table: 'deliveries',
    actions: ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'deliveries.read': { table: 'deliveries', actions: ['dynamodb:Query'] },
  'deliveries.send': { queue: 'deliveries', actions: ['sqs:SendMessage'] },
  'events.send': { queue: 'events', actions: ['sqs:SendMessage'] },
  'notifications.mark': { table: 'notifications', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'notifications.read': { table: 'notifications', actions: ['dynamodb:Query'] },
  'notifications.readMark': { table: 'notifications', actions: ['dynamodb:GetItem'] },
  'notifications.send': { queue: 'notifications', actions: ['sqs:SendMessage'] },
  'notifications.write': { table: 'notifications', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'reportMessages.add': { table: 'notifications', actions: ['dynamodb:PutItem'] },
  'reportMessages.mail': { queue: 'notifications', actions: ['sqs:SendMessage'] },
  'reportMessages.post': { queue: 'deliveries', actions: ['sqs:SendMessage'] },
  'reportSubscriptions.read': { table: 'notifications', actions: ['dynamodb:Query'] },
  'reportSubscriptions.write': {
    table: 'notifications',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'outbox.append': { table: 'outbox', actions: ['dynamodb:PutItem'] },
  'outbox.read': { table: 'outbox', actions: ['dynamodb:GetItem'] },
  'outbox.replay': { table: 'outbox', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'webhooks.list': { table: 'webhooks', actions: ['dynamodb:Query'] },
  'webhooks.read': { table: 'webhooks', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'webhooks.updateState': { table: 'webhooks', actions: ['dynamodb:GetItem', 'dynamodb:PutItem'] },
  'webhooks.write': {
    table: 'webhooks',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
} as const;
