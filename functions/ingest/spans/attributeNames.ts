import { agentNames } from './agentNames.ts';
import { statedName } from './callWords.ts';
import { usageNames } from './usageNames.ts';

/** For each value that a mapping reads: the names under which producers send it, the current convention first. */
export const names = {
  operation: ['gen_ai.operation.name'],
  /** What SDKs call a span: LLM, CHAT_MODEL, generation, embedding, AGENT, CHAIN, TOOL, … */
  spanKind: [
    'openinference.span.kind',
    'langfuse.observation.type',
    'langsmith.span.kind',
    'mlflow.spanType',
    'langwatch.span.type',
    'traceloop.span.kind',
    'gen_ai.span.kind',
    'lmnr.span.type',
    'sentry.op',
    'braintrust.span_attributes.type',
    'ai.observability.span_type',
    'observation_type',
    'genkit:metadata:subtype',
    'nat.span.kind',
    'agentops.span.kind',
  ],
  /** OpenLLMetry: chat, completion, embedding, rerank. LiteLLM: its call type, for example `acompletion`. */
  requestType: ['llm.request.type', 'tfy.model.request_type'],
  /** Vercel AI SDK 5 and 6: `ai.generateText` repeats the counts of `ai.generateText.doGenerate`. */
  aiOperation: ['ai.operationId'],
  /** Which function of an SDK was called. */
  functionName: ['code.function.name'],
  /** Pydantic AI names the run of an agent so, without an operation. */
  agentName: ['agent_name'],
  /** What a client called by RPC: `BedrockRuntime` and `ConverseStream`, or both in the method. */
  rpcService: ['rpc.service'],
  rpcMethod: ['rpc.method'],
  provider: [
    'gen_ai.provider.name',
    'gen_ai.system',
    'llm.provider',
    'llm.system',
    'ai.model.provider',
    'mlflow.llm.provider',
    'braintrust.metadata.provider',
    'langfuse.observation.metadata.ls_provider',
    'gen_ai.model.provider',
    'langsmith.metadata.ls_provider',
    // OpenInference for LangChain in JavaScript names no provider elsewhere.
    'metadata.ls_provider',
    'ai_org',
    'mirascope.response.provider_id',
    'langtrace.service.name',
    statedName('provider'),
  ],
  requestedModel: [
    'gen_ai.request.model',
    'llm.request.model_name',
    'llm.model_name',
    'embedding.model_name',
    'reranker.model_name',
    'ai.model.id',
    'gen_ai.model_name',
    'gen_ai.model.name',
    'gen_ai.request.model_name',
    'llm.model.name',
    'llm.model',
    'langfuse.observation.model.name',
    'mlflow.llm.model',
    'braintrust.metadata.model',
    'langsmith.metadata.ls_model_name',
    'model_config.model_name',
    'ai_model',
    'mirascope.response.model_id',
    // Genkit and NeMo Agent Toolkit name the span of a model call by its model.
    'genkit:name',
    'nat.subspan.name',
    statedName('model'),
  ],
  servedModel: [
    'gen_ai.response.model',
    'gen_ai.response.model_name',
    'llm.response.model_name',
    'ai.response.model',
    statedName('served model'),
  ],
  responseId: ['gen_ai.response.id', 'ai.response.id'],
  /**
   * The invocation log of Bedrock has the request id of AWS, and not the id that the model gives its response. The SDK and the API of
   * Claude name the id that Claude Code has too.
   */
  requestId: ['aws.request_id', 'aws.request.id', 'anthropic.request.id'],
  /** What identifies a log record, so that one that is sent again is recognised. */
  recordId: ['log.record.uid', 'cursor.event.id'],
  /** Ids of the request that a provider or gateway returned in a header. */
  mentionedId: [
    'request_id',
    'gen_ai.response.request_id',
    'openai.request_id',
    'vercel.ai_gateway.generation.id',
    'gen_ai.generation.id',
    // Servers of vLLM and SGLang give it to the response too.
    'gen_ai.request.id',
    'cursor.request.id',
  ],
  /** The name of the key by which a gateway knows its caller. Never a key. */
  apiKeyName: [
    'trace.metadata.openrouter.api_key_name',
    'vercel.ai_gateway.api_key.name',
    'metadata.user_api_key_alias',
    'bifrost.virtual_key.name',
    'gen_ai.virtual_key_name',
  ],
  ...usageNames,
  errorType: ['error.type'],
  /** Portkey: HIT, SEMANTIC HIT, MISS or DISABLED. */
  gatewayCache: ['cache_status'],
  /** Whether a cache of answers had it, which is not that of prompts at the provider: promptfoo, and older names of clients. */
  answerCached: ['promptfoo.cache_hit', 'gen_ai.response.cache_hit'],
  serverAddress: ['server.address'],
  /** Who pays. */
  identity: [
    'team.id',
    'team.name',
    'team',
    'metadata.user_api_key_team_alias',
    'litellm.team.alias',
    'bifrost.team.name',
    'gen_ai.team_name',
    'department',
    'cost_center',
  ],
  /** Who uses the feature. */
  endUser: [
    'enduser.id',
    'enduser.pseudo.id',
    'user.id',
    'gen_ai.user.id',
    'langfuse.user.id',
    'langsmith.metadata.user_id',
    'traceloop.association.properties.user_id',
    'ai.settings.context.userId',
    'ai.telemetry.metadata.userId',
    'metadata.user_api_key_end_user_id',
    'metadata.user_api_key_user_id',
    'litellm.end_user.id',
    'lmnr.association.properties.user_id',
    'llm.user',
  ],
  service: [
    'gen_ai.agent.name',
    'traceloop.workflow.name',
    'ai.telemetry.functionId',
    'metadata.user_api_key_team_alias',
    'litellm.team.alias',
    'service.name',
  ],
  tags: ['tag.tags', 'langfuse.trace.tags'],
  environment: ['deployment.environment.name', 'deployment.environment'],
  namespace: ['k8s.namespace.name'],
  workload: ['k8s.deployment.name', 'k8s.statefulset.name', 'k8s.daemonset.name', 'k8s.job.name'],
  cluster: ['k8s.cluster.name'],
  ...agentNames,
} as const satisfies Record<string, readonly string[]>;
