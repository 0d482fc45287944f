/** A sentence that names what was probably meant, after a space. Empty without a suggestion. */
export const didYouMean = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
