/** Provider and service names as they appear on the vendors' own FOCUS bills. */
export interface Vendor {
  readonly providerName: string;
  /** FOCUS requires one category for each service name, so the name does not depend on the call. */
  readonly serviceName: string;
}

/** Vendors by normalized provider. */
export const vendors: ReadonlyMap<string, Vendor> = new Map(
  (
    [
      ['openai', 'OpenAI', 'OpenAI API'],
      ['anthropic', 'Anthropic', 'Claude API'],
      ['aws', 'Amazon Web Services', 'Amazon Bedrock'],
      ['azure', 'Microsoft', 'Azure OpenAI Service'],
      ['google', 'Google Cloud', 'Gemini API'],
      ['mistral', 'Mistral AI', 'Mistral AI API'],
      ['cohere', 'Cohere', 'Cohere API'],
      ['deepseek', 'DeepSeek', 'DeepSeek API'],
      ['groq', 'Groq', 'GroqCloud'],
      ['x-ai', 'xAI', 'xAI API'],
      ['perplexity', 'Perplexity', 'Perplexity API'],
      ['together', 'Together AI', 'Together AI API'],
      ['fireworks', 'Fireworks AI', 'Fireworks AI API'],
      ['moonshotai', 'Moonshot AI', 'Moonshot AI API'],
      ['cerebras', 'Cerebras', 'Cerebras Inference'],
      ['cloudflare', 'Cloudflare', 'Workers AI'],
      ['voyageai', 'Voyage AI', 'Voyage AI API'],
      ['github-copilot', 'GitHub', 'GitHub Copilot'],
      ['node-pool', 'Own nodes', 'Own nodes'],
      // Used for groups of too few persons whose provider would identify them.
      ['several', 'Several providers', 'Several AI services'],
    ] as const
  ).map(([provider, providerName, serviceName]) => [provider, { providerName, serviceName }]),
);
