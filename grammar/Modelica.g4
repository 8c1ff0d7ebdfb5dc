// SPDX-License-Identifier: Apache-2.0
/* Modelica 3.4 to 3.6 with Optimica and DOML.
 *
 * Some tokens have no lexer rule: compiler/syntax re-tags them between lexer and parser, where the structure of blocks is known.
 *   BLOCK_IF        `if` that begins an equation, statement or constraint (IF is the `if` of expressions and conditions)
 *   LAST            `end` inside brackets (END closes blocks)
 *   OPTIMIZATION, CONSTRAINT, MINIMIZE, MAXIMIZE   identifiers in the places where they are words of Optimica or DOML
 *   FIELD, INDOMAIN the same of PDEModelica: a prefix before the type, and a suffix of equations and constraints
 * So almost every decision needs one or two tokens. What the grammar accepts beyond the language (chains of relations, `:=` in
 * equations, annotations anywhere, …) the builder refuses or warns about in terms of Modelica.
 */
grammar Modelica;

tokens { BLOCK_IF, LAST, OPTIMIZATION, CONSTRAINT, MINIMIZE, MAXIMIZE, FIELD, INDOMAIN }

storedDefinition : (WITHIN typeName? ';')? (FINAL? classDefinition ';')* EOF ;

// ---------------------------------------------------------------- classes

classDefinition : classPrefix* classKind classSpecifier ;

classPrefix : ENCAPSULATED | PARTIAL | EXPANDABLE | PURE | IMPURE ;

classKind
  : CLASS | MODEL | BLOCK | RECORD | CONNECTOR | TYPE | PACKAGE | FUNCTION | OPTIMIZATION
  | OPERATOR (RECORD | FUNCTION)?
  ;

classSpecifier
  : EXTENDS IDENT classModification? description? composition END IDENT
  | IDENT '=' shortSpecifier
  | IDENT classModification? description? composition END IDENT
  ;

shortSpecifier
  : ENUMERATION '(' (enumerationLiteral (',' enumerationLiteral)* | ':')? ')' comment?
  | DER '(' typeName (',' IDENT)+ ')' comment?
  | (INPUT | OUTPUT)? typeName subscripts? classModification? comment?
  ;

enumerationLiteral : IDENT comment? ;

composition : elementItem* section* ;

elementItem : (element | annotation | objective) ';' ;

section
  : (PUBLIC | PROTECTED) elementItem*
  | INITIAL? EQUATION equationItem*
  | INITIAL? ALGORITHM statementItem*
  | CONSTRAINT constraintItem*
  | EXTERNAL STRING? (expr ('=' expr)?)? annotation? ';' (annotation ';')*
  ;

equationItem : (equation | annotation | objective) ';' ;
statementItem : (statement | annotation) ';' ;
constraintItem : (constraint | annotation | objective) ';' ;

// ---------------------------------------------------------------- elements

element : importClause | extendsClause | elementPrefix* (classDefinition | componentClause) constrainedBy? ;

elementPrefix : REDECLARE | FINAL | INNER | OUTER | REPLACEABLE ;

importClause
  : IMPORT (IDENT '=' typeName | typeName ('.*' | '.' '{' IDENT (',' IDENT)* '}')?) comment?
  ;

extendsClause : EXTENDS typeName classModification? annotation? ;

constrainedBy : CONSTRAINEDBY typeName classModification? comment? ;

componentClause : componentPrefix* typeName subscripts? componentDeclaration (',' componentDeclaration)* ;

/* the form inside modifications, where a comma ends it */
componentClause1 : componentPrefix* typeName subscripts? componentDeclaration ;

componentPrefix : FLOW | STREAM | DISCRETE | PARAMETER | CONSTANT | INPUT | OUTPUT | FIELD ;

componentDeclaration : IDENT subscripts? modification? (IF expr)? comment? ;

objective : (MINIMIZE | MAXIMIZE) (IDENT '=')? expr comment? ;

// ---------------------------------------------------------------- modifications

modification : classModification (('=' | ':=') modificationValue)? | ('=' | ':=') modificationValue ;

modificationValue : expr | BREAK ;

classModification : '(' (argument (',' argument)*)? ')' ;

argument
  : argumentPrefix* reference modification? description?
  | argumentPrefix* (REDECLARE | REPLACEABLE) redeclarePrefix* (classDefinition | componentClause1) constrainedBy?
  | BREAK (CONNECT '(' expr ',' expr ')' | IDENT)
  ;

argumentPrefix : EACH | FINAL ;

redeclarePrefix : EACH | FINAL | REPLACEABLE | INNER | OUTER ;

comment : description annotation? | annotation ;

description : STRING ('+' STRING)* ;

annotation : ANNOTATION classModification ;

// ---------------------------------------------------------------- equations, statements, constraints

equation
  : ( BLOCK_IF expr THEN equationBody (ELSEIF expr THEN equationBody)* (ELSE equationBody)? END IF
    | FOR iterators LOOP equationBody END FOR
    | WHEN expr THEN equationBody (ELSEWHEN expr THEN equationBody)* END WHEN
    | CONNECT '(' expr ',' expr ')'
    | expr (('=' | ':=') expr)? inDomain?
    ) comment?
  ;

equationBody : (equation ';')* ;

statement
  : ( BLOCK_IF expr THEN statementBody (ELSEIF expr THEN statementBody)* (ELSE statementBody)? END IF
    | FOR iterators LOOP statementBody END FOR
    | WHILE expr LOOP statementBody END WHILE
    | WHEN expr THEN statementBody (ELSEWHEN expr THEN statementBody)* END WHEN
    | BREAK
    | RETURN
    | expr ((':=' | '=') expr)?
    ) comment?
  ;

statementBody : (statement ';')* ;

constraint
  : ( BLOCK_IF expr THEN constraintBody (ELSEIF expr THEN constraintBody)* (ELSE constraintBody)? END IF
    | FOR iterators LOOP constraintBody END FOR
    | expr ('=' expr)* inDomain?
    ) comment?
  ;

constraintBody : (constraint ';')* ;

/* where it holds: a domain, or a side of one */
inDomain : INDOMAIN reference ;

iterators : iterator (',' iterator)* ;

iterator : IDENT (IN expr)? ;

// ---------------------------------------------------------------- expressions

/* One rule, tightest first. A sign binds tighter than products, which gives the same values and makes `2*-3` safe. */
expr
  : expr ('^' | '.^') expr
  | ('+' | '-' | '.+' | '.-') expr
  | expr ('*' | '/' | '.*' | './') expr
  | expr ('+' | '-' | '.+' | '.-') expr
  | expr ('<' | '<=' | '>' | '>=' | '==' | '<>') expr
  | NOT expr
  | expr AND expr
  | expr OR expr
  | expr ':' expr
  | IF expr THEN expr (ELSEIF expr THEN expr)* ELSE expr
  | UNSIGNED_INTEGER
  | UNSIGNED_REAL
  | STRING
  | TRUE
  | FALSE
  | LAST
  | reference callArguments?
  | (DER | INITIAL | PURE) callArguments
  | '(' tuple ')' subscripts? ('.' reference)?
  | '[' row (';' row)* ']'
  | '{' (expr (FOR iterators | (',' expr)*))? '}'
  ;

/* (a, , b); also the plain parenthesis */
tuple : expr? (',' expr?)* ;

row : expr (',' expr)* ;

callArguments : '(' (callArgument (FOR iterators | (',' callArgument)*))? ')' ;

callArgument : (IDENT '=')? (expr | FUNCTION typeName callArguments) ;

reference : '.'? IDENT subscripts? ('.' IDENT subscripts?)* ;

typeName : '.'? IDENT ('.' IDENT)* ;

subscripts : '[' subscript (',' subscript)* ']' ;

subscript : ':' | expr ;

// ---------------------------------------------------------------- words

ALGORITHM : 'algorithm' ;
AND : 'and' ;
ANNOTATION : 'annotation' ;
BLOCK : 'block' ;
BREAK : 'break' ;
CLASS : 'class' ;
CONNECT : 'connect' ;
CONNECTOR : 'connector' ;
CONSTANT : 'constant' ;
CONSTRAINEDBY : 'constrainedby' ;
DER : 'der' ;
DISCRETE : 'discrete' ;
EACH : 'each' ;
ELSE : 'else' ;
ELSEIF : 'elseif' ;
ELSEWHEN : 'elsewhen' ;
ENCAPSULATED : 'encapsulated' ;
END : 'end' ;
ENUMERATION : 'enumeration' ;
EQUATION : 'equation' ;
EXPANDABLE : 'expandable' ;
EXTENDS : 'extends' ;
EXTERNAL : 'external' ;
FALSE : 'false' ;
FINAL : 'final' ;
FLOW : 'flow' ;
FOR : 'for' ;
FUNCTION : 'function' ;
IF : 'if' ;
IMPORT : 'import' ;
IMPURE : 'impure' ;
IN : 'in' ;
INITIAL : 'initial' ;
INNER : 'inner' ;
INPUT : 'input' ;
LOOP : 'loop' ;
MODEL : 'model' ;
NOT : 'not' ;
OPERATOR : 'operator' ;
OR : 'or' ;
OUTER : 'outer' ;
OUTPUT : 'output' ;
PACKAGE : 'package' ;
PARAMETER : 'parameter' ;
PARTIAL : 'partial' ;
PROTECTED : 'protected' ;
PUBLIC : 'public' ;
PURE : 'pure' ;
RECORD : 'record' ;
REDECLARE : 'redeclare' ;
REPLACEABLE : 'replaceable' ;
RETURN : 'return' ;
STREAM : 'stream' ;
THEN : 'then' ;
TRUE : 'true' ;
TYPE : 'type' ;
WHEN : 'when' ;
WHILE : 'while' ;
WITHIN : 'within' ;

LPAREN : '(' ;
RPAREN : ')' ;
LBRACK : '[' ;
RBRACK : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
SEMICOLON : ';' ;
COMMA : ',' ;
COLON : ':' ;
DOT : '.' ;
EQUALS : '=' ;
ASSIGN : ':=' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
SLASH : '/' ;
CARET : '^' ;
DOT_PLUS : '.+' ;
DOT_MINUS : '.-' ;
DOT_STAR : '.*' ;
DOT_SLASH : './' ;
DOT_CARET : '.^' ;
LESS : '<' ;
LESS_EQUAL : '<=' ;
GREATER : '>' ;
GREATER_EQUAL : '>=' ;
EQUAL : '==' ;
NOT_EQUAL : '<>' ;

IDENT : [a-zA-Z_] [a-zA-Z_0-9]* | '\'' (~['\\\r\n] | '\\' ~[\r\n])+ '\'' ;

UNSIGNED_INTEGER : DIGITS ;
UNSIGNED_REAL : DIGITS '.' DIGITS? EXPONENT? | '.' DIGITS EXPONENT? | DIGITS EXPONENT ;
fragment DIGITS : [0-9]+ ;
fragment EXPONENT : [eE] [+-]? DIGITS ;

STRING : '"' (~["\\] | '\\' .)* '"' ;

WHITE : [ \t\r\n\f\u000B]+ -> skip ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
BLOCK_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'+ '/' -> skip ;

// What follows is never part of a legal file; having it as tokens gives one clear message each.
OPEN_STRING : '"' (~["\\] | '\\' .)* '\\'? ;
OPEN_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'* ;
OPEN_IDENT : '\'' (~['\\\r\n] | '\\' ~[\r\n])* '\\'? ;
UNKNOWN : . ;
