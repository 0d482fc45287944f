import { identityMembers, otherUsageMembers, requiredLabel, type Warnings } from './observedCall.ts';
import { countAt, definedMembers, memberAt, tagsOf, textAt, toTimestamp, unreadCounts } from './values.ts';

/**
 * Whether a JSON value is a row of the table of language model calls of Azure API Management
 * (https://learn.microsoft.com/azure/azure-monitor/reference/tables/apimanagementgatewayllmlog), as queries and data exports
 * of Log Analytics return it. The request log of Azure OpenAI itself has no token counts.
 */
export const isApiManagementRow = (value: unknown): boolean =>
  memberAt(value, 'Type') === 'ApiManagementGatewayLlmLog' &&
  (textAt(value, 'CorrelationId') ?? textAt(value, 'RequestId')) !== undefined;

/**
 * Whether a row has the counts of its call. A call with logged messages has more rows, with parts of the messages. They have
 * the same correlation id, no model, and counts of 0.
 */
export const isCountedRow = (row: unknown): boolean =>
  textAt(row, 'ModelName') !== undefined || textAt(row, 'DeploymentName') !== undefined;

/** `Sweden Central` → `swedencentral`, the spelling of prices and grid data. */
const regionOf = (row: unknown): string | undefined =>
  textAt(row, 'Region')?.toLowerCase().replaceAll(' ', '');

const READ: ReadonlySet<string> = new Set(['PromptTokens', 'CompletionTokens', 'TotalTokens']);
/** Columns that count what a call used. */
const COUNT = /tokens|seconds|images|searches|characters|pages/i;

/** The event of a call through Azure API Management. The columns with messages are not read. */
export const eventOfApiManagement = (
  row: unknown,
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> => {
  const model = textAt(row, 'ModelName');
  const deployment = textAt(row, 'DeploymentName');
  return definedMembers({
    ...identityMembers(
      { responses: [textAt(row, 'RequestId')] },
      'azure api management',
      textAt(row, 'CorrelationId') ?? '',
    ),
    ingestion_layer: 'gateway',
    source_system: 'azure_api_management',
    ingestion_timestamp: receivedAt,
    occurred_at: toTimestamp(textAt(row, 'TimeGenerated')),
    provider: 'azure.ai.openai',
    requested_model: requiredLabel('requested_model', model ?? deployment, 256, warnings),
    operation: /embed/i.test(model ?? deployment ?? '') ? 'embeddings' : 'chat',
    region: regionOf(row),
    input_tokens: countAt(row, 'PromptTokens'),
    output_tokens: countAt(row, 'CompletionTokens'),
    ...otherUsageMembers(
      {},
      unreadCounts(row, READ).filter(({ name }) => COUNT.test(name)),
    ),
    // Of the gateway's other table, which a query joins by correlation id.
    attributed_identity: textAt(row, 'ApimSubscriptionId'),
    tags: deployment === undefined ? undefined : tagsOf([`deployment:${deployment}`]),
  });
};
