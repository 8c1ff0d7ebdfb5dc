within Modelica;
package Icons "Base classes that only say what a class is for"
  partial class Information "Documentation"
  end Information;
  partial class Contact "Authors"
  end Contact;
  partial class ReleaseNotes "Changes"
  end ReleaseNotes;
  partial class References "Literature"
  end References;
  partial model Example "A model that can be simulated or optimised as it stands"
  end Example;
  partial package ExamplesPackage "A package of examples"
  end ExamplesPackage;
  partial package Package "A package"
  end Package;
  partial package BasesPackage "A package of base classes"
  end BasesPackage;
  partial package VariantsPackage "A package of variants"
  end VariantsPackage;
  partial package InterfacesPackage "A package of connectors and interfaces"
  end InterfacesPackage;
  partial package SourcesPackage "A package of sources"
  end SourcesPackage;
  partial package SensorsPackage "A package of sensors"
  end SensorsPackage;
  partial package UtilitiesPackage "A package of helpers"
  end UtilitiesPackage;
  partial package TypesPackage "A package of types"
  end TypesPackage;
  partial package FunctionsPackage "A package of functions"
  end FunctionsPackage;
  partial package MaterialPropertiesPackage "A package of material properties"
  end MaterialPropertiesPackage;
  partial package InternalPackage "A package for internal use"
  end InternalPackage;
  partial class RotationalSensor "A round measuring device"
  end RotationalSensor;
  partial class RectangularSensor "A rectangular measuring device"
  end RectangularSensor;
  partial function Function "A function"
  end Function;
  partial record Record "A record"
  end Record;
  partial class MaterialProperty "A material property"
  end MaterialProperty;
  partial class ObsoleteModel "A class that should no longer be used"
  end ObsoleteModel;
  type TypeReal = Real "A type derived from Real";
  type TypeInteger = Integer "A type derived from Integer";
  type TypeBoolean = Boolean "A type derived from Boolean";
  type TypeString = String "A type derived from String";
end Icons;
