let environment = Environment.process
exit(with: Tool(environment: environment).run(processArguments()))
