interface SuggestionProps {
  readonly suggestion: { readonly query: string } | null
  readonly onAsk: (query: string) => void
}

/** Offers another spelling of the question. */
export const Suggestion = ({ suggestion, onAsk }: SuggestionProps) =>
  suggestion === null ? null : (
    <>
      {' '}
      Did you mean{' '}
      <button type="button" className="link-button" onClick={() => onAsk(suggestion.query)}>
        {suggestion.query}
      </button>
      ?
    </>
  )
