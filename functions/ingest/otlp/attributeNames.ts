/** For each value that a mapping reads: the names under which producers send it, the current convention first. */
export const names = {
  operation: ['gen_ai.operation.name'],
  /** OpenInference: LLM, EMBEDDING, AGENT, CHAIN, TOOL, … */
  spanKind: ['openinference.span.kind'],
  /** OpenLLMetry: chat, completion, embedding, rerank. LiteLLM: its call type, for example `acompletion`. */
  requestType: ['llm.request.type'],
  /** Vercel AI SDK 5 and 6: `ai.generateText` repeats the counts of `ai.generateText.doGenerate`. */
  aiOperation: ['ai.operationId'],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'],
  requestedModel: [
    'gen_ai.request.model',
    'llm.request.model_name',
    'llm.model_name',
    'embedding.model_name',
    'ai.model.id',
  ],
  servedModel: ['gen_ai.response.model', 'llm.response.model_name', 'ai.response.model'],
  /**
   * The request id of AWS comes first: the invocation log of Bedrock has it, and not the id that the model gives its
   * response.
   */
  responseId: ['aws.request_id', 'aws.request.id', 'gen_ai.response.id', 'ai.response.id'],
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'ai.usage.tokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
  ],
  totalTokens: [
    'gen_ai.usage.total_tokens',
    'llm.token_count.total',
    'llm.usage.total_tokens',
    'ai.usage.totalTokens',
  ],
  /** Marks of how a producer counts. */
  countingMarks: [
    'gen_ai.token.semantics',
    'ai.usage.inputTokenDetails.noCacheTokens',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    'ai.usage.outputTokenDetails.reasoningTokens',
  ],
  cacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.cache_read_tokens',
    'gen_ai.usage.input_cached_tokens',
    'gen_ai.usage.input_tokens.cached',
    'llm.token_count.prompt_details.cache_read',
    'llm.token_count.prompt_details.cache_input',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'ai.usage.cachedInputTokens',
  ],
  cacheWrite: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_tokens',
    'gen_ai.usage.input_tokens.cache_write',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ],
  hourWrite: [
    'gen_ai.usage.cache_creation.ephemeral_1h_input_tokens',
    'anthropic.usage.cache_creation.ephemeral_1h_input_tokens',
  ],
  audioInput: ['gen_ai.usage.audio.input_tokens', 'llm.token_count.prompt_details.audio'],
  imageInput: ['gen_ai.usage.image.input_tokens'],
  audioOutput: ['gen_ai.usage.audio.output_tokens', 'llm.token_count.completion_details.audio'],
  imageOutput: ['gen_ai.usage.image.output_tokens'],
  reasoning: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.output_tokens.reasoning',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.outputTokenDetails.reasoningTokens',
    'ai.usage.reasoningTokens',
  ],
  cost: [
    'gen_ai.usage.cost.amount',
    'gen_ai.usage.cost',
    'gen_ai.usage.cost_usd',
    'gen_ai.usage.total_cost',
    'gen_ai.cost.total_cost',
    'gen_ai.cost.usd',
    'llm.cost.total',
    'operation.cost',
  ],
  costCurrency: ['gen_ai.usage.cost.currency'],
  /** `provider` or `local` in the draft of the conventions. */
  costSource: ['gen_ai.usage.cost.source'],
  serviceTier: [
    'openai.response.service_tier',
    'gen_ai.openai.response.service_tier',
    'openai.request.service_tier',
    'gen_ai.openai.request.service_tier',
  ],
  errorType: ['error.type'],
  serverAddress: ['server.address'],
  identity: [
    'enduser.id',
    'user.id',
    'langfuse.user.id',
    'traceloop.association.properties.user_id',
    'ai.settings.context.userId',
    'ai.telemetry.metadata.userId',
    'metadata.user_api_key_user_id',
    'llm.user',
    'team.id',
    'department',
    'cost_center',
  ],
  service: [
    'gen_ai.agent.name',
    'traceloop.workflow.name',
    'ai.telemetry.functionId',
    'metadata.user_api_key_team_alias',
    'service.name',
  ],
  tags: ['tag.tags', 'langfuse.trace.tags'],
  environment: ['deployment.environment.name', 'deployment.environment'],
  namespace: ['k8s.namespace.name'],
  workload: ['k8s.deployment.name', 'k8s.statefulset.name', 'k8s.daemonset.name', 'k8s.job.name'],
  cluster: ['k8s.cluster.name'],
  /** Coding agents: log events. */
  eventName: ['event.name'],
  eventKind: ['event.kind'],
  agentModel: ['model'],
  agentCost: ['cost_usd'],
  agentDuration: ['duration_ms'],
  agentInput: ['input_tokens', 'input_token_count'],
  agentOutput: ['output_tokens', 'output_token_count'],
  agentCacheRead: ['cache_read_tokens', 'cached_token_count', 'cached_content_token_count'],
  agentCacheWrite: ['cache_creation_tokens'],
  /** Codex sends the total of a call under the name that Gemini CLI uses for the input of tools. */
  agentToolCount: ['tool_token_count'],
  agentTotal: ['total_token_count'],
  agentReasoning: ['reasoning_token_count', 'thoughts_token_count'],
  agentSession: ['session.id', 'conversation.id'],
  agentSequence: ['event.sequence'],
  agentRequest: ['request_id', 'prompt_id', 'prompt.id'],
  /** Codex: `Chatgpt` or `ApiKey`. Gemini CLI: `oauth-personal`, `gemini-api-key`, `vertex-ai` and others. */
  agentLogin: ['auth_mode', 'auth_type'],
  agentUser: ['user.email', 'user.account_uuid', 'user.account_id'],
} as const satisfies Record<string, readonly string[]>;

const read: ReadonlySet<string> = new Set(Object.values(names).flat());

/** Whether a mapping reads this attribute. All others are dropped at the edge, without decoding their values. */
export const isReadAttribute = (name: string): boolean => read.has(name);

/** Attributes that hold prompts, model output or tool data, by the conventions and SDKs that a mapping knows. */
const CONTENT = [
  /^gen_ai\.(?:input|output)\.messages$/,
  /^gen_ai\.(?:system_instructions|tool\.definitions|tool\.call\.(?:arguments|result))$/,
  /^gen_ai\.(?:prompt|completion|content)(?:$|\.(?!name$|version$))/,
  /^(?:input|output)\.(?:value|mime_type)$/,
  /^llm\.(?:input_messages|output_messages|prompts|completions|prompt_template|invocation_parameters|tools)(?:$|\.)/,
  /^(?:traceloop\.entity\.(?:input|output)|tool\.parameters|retrieval\.documents|embedding\.embeddings)(?:$|\.)/,
  /^ai\.(?:prompt|request\.headers|toolCall\.(?:args|result)|values?|embeddings?)(?:$|\.)/,
  /^ai\.response\.(?:text|reasoning|toolCalls|object|files|providerMetadata)$/,
  /^(?:prompt|tool_input|tool_parameters|request_text|response_text|langfuse\.(?:observation|trace)\.(?:input|output))$/,
] as const;

/** Whether an attribute is known to hold content. Callers see its name among what was dropped. */
export const isContentAttribute = (name: string): boolean => CONTENT.some((pattern) => pattern.test(name));
