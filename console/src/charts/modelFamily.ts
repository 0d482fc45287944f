/** Who resells a model, before its name: `us.anthropic.` of Bedrock, `anthropic/` of gateways, `models/` of Google. */
const RESELLER = /^(?:.*\/|(?:[a-z-]+\.)?(?:ai21|amazon|anthropic|cohere|meta|mistral)\.)/;

/**
 * What names one version of a model, after its name: the date of a snapshot in the forms of OpenAI (`-2024-08-06`, `-0613`),
 * Anthropic (`-20250929`), Mistral (`-2407`), Cohere (`-08-2024`), Google (`-001`, `-05-20`) and Vertex AI (`@20250929`), the
 * version of Bedrock (`-v1:0`), the variant of OpenRouter (`:free`), and the words of moving aliases. A size, such as `:8b`,
 * and the version of a generation, such as `-v3`, are another model.
 */
const VERSION =
  /(?:-\d{4}-\d\d-\d\d|-\d\d-\d{4}|-\d{8}|-\d{4}|(?<=^gemini-.*)(?:-\d{3}|-\d\d-\d\d)|@[\w.-]+|-v1|-v\d+:\d+|:(?:free|nitro|floor|extended|online|thinking|latest)|-latest|-preview|-exp|-experimental)$/;

const withoutVersion = (name: string): string => {
  const shorter = name.replace(VERSION, '');
  return shorter === name || shorter === '' ? name : withoutVersion(shorter);
};

/** The name of a model without its reseller and version. A fine-tuned model is a family of its own: it has other prices. */
export const familyOf = (model: string): string =>
  model.startsWith('ft:') ? model : withoutVersion(model.replace(RESELLER, '') || model);
