import type { Range } from './citation.js'

/** A legal term: its acronym and its long form. */
export interface LegalTerm {
  readonly id: string
  readonly short: string
  readonly long: string
}

export type TermForm = 'short' | 'long'

export interface FoundTerm extends Range {
  readonly id: string
  readonly form: TermForm
}

/** An acronym, its long form and further long forms. The id of a term is its acronym in lower case. */
type Row = readonly [short: string, long: string, ...others: string[]]

const ROWS: readonly Row[] = [
  // Securities and markets
  ['PSLRA', 'Private Securities Litigation Reform Act', 'Securities Litigation Reform Act'],
  ['SLUSA', 'Securities Litigation Uniform Standards Act'],
  ['SOX', 'Sarbanes-Oxley Act', 'Sarbanes Oxley'],
  ['JOBS', 'Jumpstart Our Business Startups Act', 'JOBS Act'],
  ['CEA', 'Commodity Exchange Act'],
  ['FCPA', 'Foreign Corrupt Practices Act'],
  ['BSA', 'Bank Secrecy Act'],
  ['TIA', 'Trust Indenture Act'],
  // Work and benefits
  ['ERISA', 'Employee Retirement Income Security Act'],
  ['COBRA', 'Consolidated Omnibus Budget Reconciliation Act'],
  ['ADEA', 'Age Discrimination in Employment Act'],
  ['ADA', 'Americans with Disabilities Act'],
  ['FLSA', 'Fair Labor Standards Act'],
  ['FMLA', 'Family and Medical Leave Act'],
  ['NLRA', 'National Labor Relations Act'],
  ['LMRA', 'Labor Management Relations Act', 'Taft-Hartley Act'],
  ['OSHA', 'Occupational Safety and Health Act', 'Occupational Safety and Health Administration'],
  ['WARN', 'Worker Adjustment and Retraining Notification Act', 'WARN Act'],
  ['USERRA', 'Uniformed Services Employment and Reemployment Rights Act'],
  ['FELA', "Federal Employers' Liability Act"],
  ['PAGA', 'Private Attorneys General Act'],
  ['FEHA', 'Fair Employment and Housing Act'],
  ['EPPA', 'Employee Polygraph Protection Act'],
  ['GINA', 'Genetic Information Nondiscrimination Act'],
  ['FCA', 'False Claims Act'],
  // Consumers, credit, privacy
  ['FCRA', 'Fair Credit Reporting Act'],
  ['FACTA', 'Fair and Accurate Credit Transactions Act'],
  ['FDCPA', 'Fair Debt Collection Practices Act'],
  ['TCPA', 'Telephone Consumer Protection Act'],
  ['TILA', 'Truth in Lending Act'],
  ['RESPA', 'Real Estate Settlement Procedures Act'],
  ['ECOA', 'Equal Credit Opportunity Act'],
  ['EFTA', 'Electronic Fund Transfer Act'],
  ['HOEPA', 'Home Ownership and Equity Protection Act'],
  ['MMWA', 'Magnuson-Moss Warranty Act'],
  ['COPPA', "Children's Online Privacy Protection Act"],
  ['HIPAA', 'Health Insurance Portability and Accountability Act'],
  ['FERPA', 'Family Educational Rights and Privacy Act'],
  ['GLBA', 'Gramm-Leach-Bliley Act'],
  ['ECPA', 'Electronic Communications Privacy Act'],
  ['SCA', 'Stored Communications Act'],
  ['VPPA', 'Video Privacy Protection Act'],
  ['DPPA', "Driver's Privacy Protection Act"],
  ['CFAA', 'Computer Fraud and Abuse Act'],
  ['CIPA', 'California Invasion of Privacy Act'],
  ['CCPA', 'California Consumer Privacy Act'],
  ['BIPA', 'Biometric Information Privacy Act'],
  ['GDPR', 'General Data Protection Regulation'],
  ['UCL', 'Unfair Competition Law'],
  ['CLRA', 'Consumers Legal Remedies Act', 'Consumer Legal Remedies Act'],
  ['FAL', 'False Advertising Law'],
  ['DTPA', 'Deceptive Trade Practices Act'],
  ['UDAP', 'unfair and deceptive acts and practices', 'unfair or deceptive acts or practices'],
  ['FDUTPA', 'Florida Deceptive and Unfair Trade Practices Act'],
  ['GBL', 'General Business Law'],
  ['UCC', 'Uniform Commercial Code'],
  ['UFTA', 'Uniform Fraudulent Transfer Act'],
  ['UVTA', 'Uniform Voidable Transactions Act'],
  // Intellectual property and products
  ['DMCA', 'Digital Millennium Copyright Act'],
  ['DTSA', 'Defend Trade Secrets Act'],
  ['UTSA', 'Uniform Trade Secrets Act'],
  ['CUTSA', 'California Uniform Trade Secrets Act'],
  ['AIA', 'America Invents Act'],
  ['ACPA', 'Anticybersquatting Consumer Protection Act'],
  ['VARA', 'Visual Artists Rights Act'],
  ['IPR', 'inter partes review'],
  ['PGR', 'post-grant review'],
  ['FDCA', 'Food, Drug, and Cosmetic Act', 'Federal Food, Drug, and Cosmetic Act'],
  ['CPSA', 'Consumer Product Safety Act'],
  ['FIFRA', 'Federal Insecticide, Fungicide, and Rodenticide Act'],
  // Competition and crime
  [
    'RICO',
    'Racketeer Influenced and Corrupt Organizations Act',
    'Racketeer Influenced and Corrupt Organizations',
  ],
  ['HSR', 'Hart-Scott-Rodino', 'Hart-Scott-Rodino Act'],
  ['FTAIA', 'Foreign Trade Antitrust Improvements Act'],
  ['AEDPA', 'Antiterrorism and Effective Death Penalty Act'],
  ['ACCA', 'Armed Career Criminal Act'],
  ['CSA', 'Controlled Substances Act'],
  ['TVPRA', 'Trafficking Victims Protection Reauthorization Act', 'Trafficking Victims Protection Act'],
  ['VAWA', 'Violence Against Women Act'],
  ['ATS', 'Alien Tort Statute', 'Alien Tort Claims Act'],
  ['ATA', 'Anti-Terrorism Act', 'Antiterrorism Act'],
  ['JASTA', 'Justice Against Sponsors of Terrorism Act'],
  ['AML', 'anti-money laundering'],
  // Government, rights, immigration
  ['FOIA', 'Freedom of Information Act'],
  ['APA', 'Administrative Procedure Act'],
  ['FTCA', 'Federal Tort Claims Act'],
  ['FSIA', 'Foreign Sovereign Immunities Act'],
  ['FAA', 'Federal Arbitration Act'],
  ['CAFA', 'Class Action Fairness Act'],
  ['PLRA', 'Prison Litigation Reform Act'],
  ['IDEA', 'Individuals with Disabilities Education Act'],
  ['FHA', 'Fair Housing Act'],
  ['VRA', 'Voting Rights Act'],
  ['RFRA', 'Religious Freedom Restoration Act'],
  ['RLUIPA', 'Religious Land Use and Institutionalized Persons Act'],
  ['INA', 'Immigration and Nationality Act'],
  ['DACA', 'Deferred Action for Childhood Arrivals'],
  ['CDA', 'Communications Decency Act'],
  ['ACA', 'Affordable Care Act', 'Patient Protection and Affordable Care Act'],
  ['EMTALA', 'Emergency Medical Treatment and Active Labor Act', 'Emergency Medical Treatment and Labor Act'],
  ['AKS', 'Anti-Kickback Statute'],
  ['EAJA', 'Equal Access to Justice Act'],
  ['CAT', 'Convention Against Torture'],
  ['UCCJEA', 'Uniform Child Custody Jurisdiction and Enforcement Act'],
  // Environment and maritime law
  ['CERCLA', 'Comprehensive Environmental Response, Compensation, and Liability Act'],
  ['NEPA', 'National Environmental Policy Act'],
  ['CEQA', 'California Environmental Quality Act'],
  ['RCRA', 'Resource Conservation and Recovery Act'],
  ['CWA', 'Clean Water Act'],
  ['CAA', 'Clean Air Act'],
  ['ESA', 'Endangered Species Act'],
  ['TSCA', 'Toxic Substances Control Act'],
  ['FPA', 'Federal Power Act'],
  ['LHWCA', "Longshore and Harbor Workers' Compensation Act"],
  ['COGSA', 'Carriage of Goods by Sea Act'],
  ['OCSLA', 'Outer Continental Shelf Lands Act'],
  ['EIS', 'environmental impact statement'],
  // Agencies and courts
  ['SEC', 'Securities and Exchange Commission'],
  ['FTC', 'Federal Trade Commission'],
  ['EPA', 'Environmental Protection Agency'],
  ['FDA', 'Food and Drug Administration'],
  ['FCC', 'Federal Communications Commission'],
  ['DOJ', 'Department of Justice'],
  ['DOL', 'Department of Labor'],
  ['EEOC', 'Equal Employment Opportunity Commission'],
  ['NLRB', 'National Labor Relations Board'],
  ['CFPB', 'Consumer Financial Protection Bureau'],
  ['CFTC', 'Commodity Futures Trading Commission'],
  ['FINRA', 'Financial Industry Regulatory Authority'],
  ['IRS', 'Internal Revenue Service'],
  ['USPTO', 'United States Patent and Trademark Office', 'Patent and Trademark Office'],
  ['PTAB', 'Patent Trial and Appeal Board'],
  ['ITC', 'International Trade Commission'],
  ['BIA', 'Board of Immigration Appeals'],
  ['DHS', 'Department of Homeland Security'],
  ['HHS', 'Department of Health and Human Services'],
  ['FERC', 'Federal Energy Regulatory Commission'],
  ['FDIC', 'Federal Deposit Insurance Corporation'],
  ['SSA', 'Social Security Administration'],
  ['MDL', 'multidistrict litigation', 'multi-district litigation'],
  ['JPML', 'Judicial Panel on Multidistrict Litigation'],
  ['SCOTUS', 'Supreme Court of the United States', 'United States Supreme Court'],
  ['AAA', 'American Arbitration Association'],
  // Procedure
  ['MTD', 'motion to dismiss'],
  ['MSJ', 'motion for summary judgment'],
  ['MSA', 'motion for summary adjudication'],
  ['MJOP', 'motion for judgment on the pleadings'],
  ['MIL', 'motion in limine'],
  ['MTC', 'motion to compel'],
  ['JMOL', 'judgment as a matter of law'],
  ['JNOV', 'judgment notwithstanding the verdict', 'judgment non obstante veredicto'],
  ['TRO', 'temporary restraining order'],
  ['PI', 'preliminary injunction'],
  ['SOL', 'statute of limitations'],
  ['SOR', 'statute of repose'],
  ['FRCP', 'Federal Rules of Civil Procedure', 'Federal Rule of Civil Procedure'],
  ['FRE', 'Federal Rules of Evidence', 'Federal Rule of Evidence'],
  ['FRAP', 'Federal Rules of Appellate Procedure', 'Federal Rule of Appellate Procedure'],
  ['FRCrP', 'Federal Rules of Criminal Procedure', 'Federal Rule of Criminal Procedure'],
  ['FAC', 'first amended complaint'],
  ['SAC', 'second amended complaint'],
  ['TAC', 'third amended complaint'],
  ['CAC', 'consolidated amended complaint'],
  ['RJN', 'request for judicial notice'],
  ['ROG', 'interrogatory', 'interrogatories'],
  ['RFP', 'request for production'],
  ['RFA', 'request for admission'],
  ['SUF', 'statement of undisputed facts', 'statement of uncontroverted facts'],
  ['POS', 'proof of service'],
  ['OSC', 'order to show cause'],
  ['IFP', 'in forma pauperis'],
  ['IIED', 'intentional infliction of emotional distress'],
  ['NIED', 'negligent infliction of emotional distress'],
  ['ESI', 'electronically stored information'],
  ['NDA', 'non-disclosure agreement', 'nondisclosure agreement'],
  ['SLAPP', 'strategic lawsuit against public participation'],
  ['ADR', 'alternative dispute resolution'],
  ['LLC', 'limited liability company'],
  ['IPO', 'initial public offering'],
  ['FOTM', 'fraud on the market', 'fraud-on-the-market'],
  ['IAC', 'ineffective assistance of counsel'],
  ['POA', 'power of attorney'],
  ['GAL', 'guardian ad litem'],
  ['SMJ', 'subject matter jurisdiction', 'subject-matter jurisdiction'],
  ['PJ', 'personal jurisdiction'],
  ['FNC', 'forum non conveniens'],
]

/** Treats `Reforms` and `reform` as one word, and so also `statute of limitation` and `statutes of limitations`. */
const singular = (word: string) => word.replace(/['’]s?$/, '').replace(/(?<=..)s$/, '')
const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}{0,2}(?![\p{L}]))?|&/gu
/** The separators that may occur between the words of a long form. */
const BETWEEN = /^(?:,?[^\S\n]{0,4}\n?[^\S\n]{0,4}|[-\u2010-\u2015]|[-\u2010-\u2015]\n)$/
const ACRONYM = /(?<![\p{L}\p{N}.&])(?:(?:\p{Lu}\.){2,9}|\p{Lu}{1,4}r?\p{Lu}{1,5})(?!\p{N})/gu

const wordsOf = (text: string) =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: word === '&' ? 'and' : singular(word.toLowerCase()),
    start: index,
    end: index + word.length,
  }))

export const LEGAL_TERMS: ReadonlyMap<string, LegalTerm> = new Map(
  ROWS.map(([short, long]) => [short.toLowerCase(), { id: short.toLowerCase(), short, long }]),
)
const BY_ACRONYM = new Map(ROWS.map(([short]) => [short, short.toLowerCase()]))
interface LongForm {
  readonly id: string
  readonly words: readonly string[]
}

/** The long forms by their first word, the longest first. */
const BY_FIRST_WORD = new Map<string, LongForm[]>()
for (const [short, ...longs] of ROWS)
  for (const long of longs) {
    const words = wordsOf(long).map(({ word }) => word)
    const [first = ''] = words
    const others = [...(BY_FIRST_WORD.get(first) ?? []), { id: short.toLowerCase(), words }]
    BY_FIRST_WORD.set(
      first,
      others.sort((a, b) => b.words.length - a.words.length),
    )
  }

/** Finds the terms of a text in order: acronyms only in capitals, long forms word for word. */
export function findTerms(text: string): FoundTerm[] {
  return [...findAcronyms(text), ...findLongForms(text)].sort((a, b) => a.start - b.start || b.end - a.end)
}

/** `SEC. 2` is a heading in a statute, not the Securities and Exchange Commission. */
const NUMBERED_HEADING = /^\.?\s{0,3}\d/

function findAcronyms(text: string): FoundTerm[] {
  return [...text.matchAll(ACRONYM)].flatMap(({ 0: found, index: start }) => {
    const end = start + found.length
    const after = text.slice(end, end + 6)
    const plural = /^['’]?s(?![\p{L}\p{N}])/u.test(after)
    const id = BY_ACRONYM.get(found.replaceAll('.', ''))
    if (id === undefined || (!plural && /^\p{L}/u.test(after))) return []
    return id === 'sec' && NUMBERED_HEADING.test(after) ? [] : [{ id, form: 'short', start, end }]
  })
}

function findLongForms(text: string): FoundTerm[] {
  const words = wordsOf(text)
  const found: FoundTerm[] = []
  let at = 0
  while (at < words.length) {
    const first = words[at]
    const term = BY_FIRST_WORD.get(first?.word ?? '')?.find(one => stands(one.words, at, words, text))
    const last = term === undefined ? undefined : words[at + term.words.length - 1]
    if (term === undefined || first === undefined || last === undefined) {
      at++
      continue
    }
    found.push({ id: term.id, form: 'long', start: first.start, end: last.end })
    at += term.words.length
  }
  return found
}

const stands = (
  wanted: readonly string[],
  at: number,
  words: readonly (Range & { readonly word: string })[],
  text: string,
) =>
  wanted.every((word, more) => {
    const here = words[at + more]
    if (here?.word !== word) return false
    const before = words[at + more - 1]
    return more === 0 || BETWEEN.test(text.slice(before?.end, here.start))
  })
