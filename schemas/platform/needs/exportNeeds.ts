/** What the routes of exports need, and the workers that make and deliver them. */
export const exportNeeds = {
  'exports.read': { table: 'exports', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'exports.write': {
    table: 'exports',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'exports.manage': {
    table: 'exports',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'exportDestinations.read': { table: 'exports', actions: ['dynamodb:GetItem', 'dynamodb:Query'] },
  'exportDestinations.write': {
    table: 'exports',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
  },
  'exportDeliveries.manage': {
    table: 'exports',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
  },
  'exports.sign': { bucket: 'exports', actions: ['s3:GetObject'] },
  'exports.fetch': { bucket: 'exports', actions: ['s3:GetObject'] },
  'exports.deliver': { bucket: 'exports', actions: ['s3:AbortMultipartUpload', 's3:PutObject'] },
  'exports.probe': { bucket: 'exports', actions: ['s3:GetBucketLocation'] },
  'exportRuns.start': { stateMachine: 'exports', actions: ['states:StartExecution'] },
  'exportRuns.probe': { stateMachine: 'exports', actions: ['states:DescribeStateMachine'] },
  'exportWork.readWrite': {
    bucket: 'exportWork',
    actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
  },
  'exportRuns.manage': {
    stateMachine: 'exports',
    actions: ['states:DescribeExecution', 'states:StartExecution', 'states:StopExecution'],
  },
  'deliveryRole.assume': { customerRole: 'exportDelivery', actions: ['sts:AssumeRole'] },
  'deliveryRole.name': { trustedRole: 'exportDelivery', actions: [] },
} as const;
