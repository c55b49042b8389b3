/** A template that can't be used; the message says why, for the person who wrote it. */
export class TemplateError extends Error {
  static from(error: unknown): TemplateError {
    if (error instanceof TemplateError) return error;
    return new TemplateError(wordsFor(error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

/** LiquidJS's message, which names the line; its internal errors are rewritten. */
function wordsFor(message: string): string {
  if (message.includes('Maximum call stack')) return 'too deeply nested';
  if (message.includes('limit exceeded')) return 'takes more time or memory than a message may';
  return message;
}
