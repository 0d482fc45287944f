/**
 * Returns a matcher of whole texts. `*` matches any run of characters, also an empty one and also slashes. `?` matches
 * exactly one character. Everything else matches itself. A mismatch goes back to the last `*` only: what an earlier one
 * matched can stay as short as possible. So the steps are at most pattern × text, unlike with a regular expression, which a
 * tenant could make exponentially slow.
 */
export const globMatcher = (pattern: string): ((text: string) => boolean) => {
  const tokens = [...pattern];
  const [head = '', tail = ''] = [/^[^*?]*/, /[^*?]*$/].map((literal) => literal.exec(pattern)?.[0]);

  return (text) => {
    // Rejects nearly every text that does not match. The suffix first: names from one source often share a prefix.
    if (!text.endsWith(tail) || !text.startsWith(head)) return false;
    const characters = [...text];
    let [token, at] = [0, 0];
    let star = -1;
    let afterStar = 0;
    while (at < characters.length) {
      if (tokens[token] === '*') {
        star = token;
        afterStar = at;
        token += 1;
      } else if (tokens[token] === '?' || tokens[token] === characters[at]) {
        token += 1;
        at += 1;
      } else if (star >= 0) {
        afterStar += 1;
        at = afterStar;
        token = star + 1;
      } else return false;
    }
    return tokens.slice(token).every((rest) => rest === '*');
  };
};
